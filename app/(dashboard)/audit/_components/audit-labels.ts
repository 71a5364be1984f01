import type { AuditEntry } from '@/server/features/audit/audit.schema';

export type AuditResource = AuditEntry['resource'];

interface ResourceLabels {
  /** Singular, at the beginning of a sentence. */
  one: string;
  /** Plural, as in the filter. */
  many: string;
  /** Label of one without a name. */
  unnamed?: string;
}

/** Labels of the kinds of records. */
export const resourceLabels: Record<AuditResource, ResourceLabels> = {
  customer: { one: 'Customer', many: 'Customers', unnamed: 'without a name' },
  contact: { one: 'Contact', many: 'Contacts' },
  conversation: { one: 'Conversation', many: 'Conversations', unnamed: 'without a subject' },
  message: { one: 'Message', many: 'Messages', unnamed: 'without a subject' },
  event: { one: 'Event', many: 'Events' },
  invitee: { one: 'Invitee', many: 'Invitees' },
  agent: { one: 'Agent', many: 'Agents' },
  escalation_route: { one: 'Route', many: 'Escalation routes' },
  post: { one: 'Post', many: 'Posts', unnamed: 'without a title' },
  picture: { one: 'Picture', many: 'Pictures' },
  blog: { one: 'Blog settings', many: 'Blog settings' },
  identity: { one: 'Business profile', many: 'Business profile' },
  address: { one: 'Address', many: 'Addresses' },
  api_key: { one: 'API key', many: 'API keys' },
  calendar_feed: { one: 'Calendar subscription', many: 'Calendar subscription' },
  mail: { one: 'Mail', many: 'Other mail' },
  quarantined_mail: { one: 'Mail from', many: 'Quarantine' },
  account: { one: 'Account', many: 'Account' },
  session: { one: 'Session', many: 'Sign-ins' },
  two_factor: { one: 'Two-factor sign-in', many: 'Two-factor sign-in' },
};

/** Labels of the author filter. */
export const authorFilters: Record<'owner' | 'key' | 'agent' | 'system' | 'database', string> = {
  owner: 'Owner',
  key: 'Any API key',
  agent: 'In an agent’s name',
  system: 'System',
  database: 'Directly in the database',
};

export const actionFilters: Record<AuditEntry['action'], string> = {
  created: 'Created',
  updated: 'Changed',
  deleted: 'Deleted',
};

/** Causes of changes that the installation made automatically. */
const causes: Readonly<Record<string, string>> = {
  operator: 'operator’s command',
  setup: 'first set-up',
  reset: 'password reset by mail',
  mail: 'mail came in',
  delivery: 'mail went out',
  reminders: 'a reminder was due',
  invitee: 'an invitee answered',
  upkeep: 'routine upkeep',
  addresses: 'an address or its domain was checked',
};

/** The author of a change. */
export function authorName({ kind, name }: AuditEntry['author']): string {
  switch (kind) {
    case 'owner':
      return name ?? 'A former owner';
    case 'key':
      return name ?? 'A deleted API key';
    case 'system':
      return `System · ${causes[name ?? ''] ?? 'by itself'}`;
    case 'database':
      return 'Directly in the database';
  }
}

const fieldNames: Readonly<Record<string, string>> = {
  allDay: 'all day',
  authorAgentId: 'writing agent',
  avatarUrl: 'picture',
  answeredAt: 'time of the answer',
  answeredBy: 'way of the answer',
  agentId: 'agent',
  coverImageUrl: 'cover picture',
  customerId: 'customer',
  email: 'email',
  endAt: 'end',
  eventId: 'event',
  fromEmail: 'sender',
  fromName: 'sender’s name',
  counterpartEmail: 'other side',
  counterpartName: 'name of the other side',
  enabledAt: 'turned on',
  isArchived: 'archived',
  isAutoReply: 'automatic reply',
  isOptional: 'optional',
  isPrimary: 'primary',
  isRead: 'read',
  isSpam: 'spam',
  last4: 'last four characters',
  metaDescription: 'description for search engines',
  originAddress: 'address written to',
  ownerUserId: 'owner',
  passwordHash: 'password',
  publishedAt: 'publication date',
  recurrenceEndAt: 'last possible date',
  response: 'answer',
  roleId: 'role',
  sendEmailReminders: 'reminders by email',
  slug: 'address (slug)',
  startAt: 'begin',
  timeoutMins: 'minutes until the next',
  timezone: 'time zone',
  toUserId: 'user',
  userAgent: 'browser',
  userId: 'user',
};

/** The label of a field: `displayName` is "display name". */
export function fieldName(field: string): string {
  return fieldNames[field] ?? field.replace(/([a-z0-9])([A-Z])/g, '$1 $2').toLowerCase();
}
