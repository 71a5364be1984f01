import { type KeyScope, type ScopeResource, scopeResources } from '@/server/platform/auth/scopes.schema';

/** What a key may do, as the dashboard shows and asks it. */

export const resourceNames: Record<ScopeResource, string> = {
  identity: 'Business profile',
  customers: 'Customers',
  agents: 'Agents',
  conversations: 'Conversations',
  blog: 'Blog',
  usage: 'Usage',
  calendar: 'Calendar',
  tasks: 'Tasks',
  escalations: 'Escalations',
  webhooks: 'Webhooks',
  events: 'Event log',
};

export const levels = ['none', 'read', 'write'] as const;

export type Level = (typeof levels)[number];

export const levelNames: Record<Level, string> = { none: 'None', read: 'Read', write: 'Write' };

/** A choice of scopes one by one. */
export interface CustomAccess {
  resources: Record<ScopeResource, Level>;
  sendsMail: boolean;
  readsAudit: boolean;
}

export const noAccess: CustomAccess = {
  resources: Object.fromEntries(scopeResources.map((resource) => [resource, 'none'])) as Record<ScopeResource, Level>,
  sendsMail: false,
  readsAudit: false,
};

/** In the order of the schema. */
export function scopesOf({ resources, sendsMail, readsAudit }: CustomAccess): KeyScope[] {
  return [
    ...scopeResources.flatMap((resource): KeyScope[] => {
      const level = resources[resource];
      const own: KeyScope[] = level === 'none' ? [] : [`${resource}:${level}`];
      return resource === 'conversations' && sendsMail ? [...own, 'conversations:send'] : own;
    }),
    ...(readsAudit ? ['audit:read' as const] : []),
  ];
}

export const presets = ['full', 'read', 'agent', 'form', 'custom'] as const;

export type Preset = (typeof presets)[number];

interface PresetLabels {
  label: string;
  /** What such a key is for and may do. */
  description: string;
}

export const presetLabels: Record<Preset, PresetLabels> = {
  full: { label: 'Full access', description: 'Everything the API offers. For your own scripts.' },
  read: { label: 'Read only', description: 'Reads everything except the audit log. For reports and exports.' },
  agent: {
    label: 'Agent',
    description:
      'Acts as one of your agents: reads and answers mail, keeps customers, calendar and blog. Stops while the agent is paused.',
  },
  form: {
    label: 'Website form',
    description: 'Reads and changes customers, nothing else. Keep it on your web server, not in the page.',
  },
  custom: { label: 'Custom', description: 'Choose what the key may do.' },
};

/** The scopes of each preset but `custom`. */
export const presetScopes: Record<Exclude<Preset, 'custom'>, readonly KeyScope[]> = {
  full: ['*'],
  read: scopeResources.map((resource): KeyScope => `${resource}:read`),
  agent: [
    'identity:read',
    'customers:write',
    'agents:read',
    'conversations:write',
    'conversations:send',
    'blog:write',
    'usage:write',
    'calendar:write',
    'tasks:write',
    'escalations:write',
    'events:read',
  ],
  form: ['customers:write'],
};

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((scope) => other.includes(scope));
}

/** A scope in words: "Customers: write". */
function scopeName(scope: string): string {
  if (scope === 'conversations:send') return 'Send mail';
  if (scope === 'audit:read') return 'Audit log: read';
  const [resource = '', level = ''] = scope.split(':');
  return `${resourceNames[resource as ScopeResource] ?? resource}: ${levelNames[level as Level]?.toLowerCase() ?? level}`;
}

/** What a key may do, in a word or two; `details` names all of it. */
export function describeAccess(scopes: readonly string[]): { label: string; details: string } {
  const preset = (['full', 'read', 'agent', 'form'] as const).find((each) => isSame(scopes, presetScopes[each]));
  const details = preset === 'full' ? presetLabels.full.description : scopes.map(scopeName).join(', ');
  // A key with the scopes of an agent need not be one's.
  if (preset && preset !== 'agent') return { label: presetLabels[preset].label, details };
  return { label: scopes.length === 1 ? scopeName(scopes[0] ?? '') : `${scopes.length} permissions`, details };
}
