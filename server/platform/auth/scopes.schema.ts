/** What an API key or a member may do (contract sections 10 and 18). Procedures name the scope that they need in their metadata. */

/** Resources that can be read or written, each with a scope for either. */
export const scopeResources = [
  'identity',
  'customers',
  'agents',
  'conversations',
  'blog',
  'usage',
  'calendar',
  'tasks',
  'escalations',
  'webhooks',
  'events',
] as const;

export type ScopeResource = (typeof scopeResources)[number];

export type KeyScope = '*' | `${ScopeResource}:${'read' | 'write'}` | 'conversations:send' | 'audit:read' | 'members:read';

/** What people may do, and no key except one with full access: change the team and keys, and write posts that others publish. */
export const teamScopes = ['members:write', 'keys:write', 'blog:draft'] as const;

/** What a procedure may need. */
export type Permission = KeyScope | (typeof teamScopes)[number];

/** All scopes, in the order in which keys list them. */
export const keyScopes: readonly [KeyScope, ...KeyScope[]] = [
  '*',
  ...scopeResources.flatMap((resource): KeyScope[] =>
    resource === 'conversations'
      ? [`${resource}:read`, `${resource}:write`, `${resource}:send`]
      : [`${resource}:read`, `${resource}:write`],
  ),
  'audit:read',
  'members:read',
];

/** The scope that includes another one, besides `*`; itself if there is none. */
function broaderThan(scope: Permission): string {
  if (scope === 'blog:draft') return 'blog:write';
  return scope.endsWith(':read') ? `${scope.slice(0, -'read'.length)}write` : scope;
}

/** True if these scopes allow what `required` stands for: writing includes reading, sending includes nothing else. */
export function hasScope(granted: readonly string[], required: Permission): boolean {
  const broader = broaderThan(required);
  return granted.some((scope) => scope === '*' || scope === required || scope === broader);
}
