import type { Permission } from './scopes.schema';

/**
 * The roles of a team and what each may do, as scopes (contract section 18). One list for the whole dashboard: a procedure names the
 * scope that it needs, and never a role.
 */

/** From the one with most rights to the one with fewest. */
export const teamRoles = ['owner', 'admin', 'member', 'viewer'] as const;

export type TeamRole = (typeof teamRoles)[number];

const viewerScopes: readonly Permission[] = [
  'identity:read',
  'customers:read',
  'agents:read',
  'conversations:read',
  'blog:read',
  'usage:read',
  'calendar:read',
  'tasks:read',
  'escalations:read',
  'events:read',
  'members:read',
];

const memberScopes: readonly Permission[] = [
  ...viewerScopes,
  'customers:write',
  'conversations:write',
  'conversations:send',
  'calendar:write',
  'tasks:write',
  'escalations:write',
  'blog:draft',
];

/** Everything but what `*` alone includes: deleting the business. Owners are out of their reach, too (member.service.ts). */
const adminScopes: readonly Permission[] = [
  ...memberScopes,
  'identity:write',
  'agents:write',
  'blog:write',
  'usage:write',
  'webhooks:write',
  'events:write',
  'audit:read',
  'members:write',
  'keys:write',
];

const scopesOfRoles: Readonly<Record<TeamRole, readonly Permission[]>> = {
  owner: ['*'],
  admin: adminScopes,
  member: memberScopes,
  viewer: viewerScopes,
};

/** The scopes of a role; none without one. */
export function scopesOfRole(role: TeamRole | null): readonly Permission[] {
  return role === null ? [] : scopesOfRoles[role];
}
