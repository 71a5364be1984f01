import type { AuditEntry } from '@/server/features/audit/audit.schema';

export type AuditResource = AuditEntry['resource'];

interface ResourceLabels {
  /** Singular, at the beginning of a sentence. */
  one: string;
  /** Plural, as in the filter. */
  many: string;
  /** Plural behind a number, if it is not the one of the filter. */
  counted?: string;
  /** Label of one without a name. */
  unnamed?: string;
}

/** Labels of the kinds of records. */
export const resourceLabels: Record<AuditResource, ResourceLabels> = {
  customer: { one: 'Customer', many: 'Customers', unnamed: '(unnamed)' },
  contact: { one: 'Contact', many: 'Contacts' },
  conversation: { one: 'Conversation', many: 'Conversations', unnamed: '(no subject)' },
  message: { one: 'Message', many: 'Messages', unnamed: '(no subject)' },
  note: { one: 'Internal note', many: 'Internal notes' },
  label: { one: 'Label', many: 'Labels' },
  mailbox: { one: 'Mailbox', many: 'Mailboxes' },
  mailbox_client: { one: 'OAuth client', many: 'OAuth clients' },
  blocked_sender: { one: 'Blocked sender', many: 'Blocked senders' },
  snippet: { one: 'Snippet', many: 'Snippets' },
  event: { one: 'Event', many: 'Events' },
  invitee: { one: 'Guest', many: 'Guests' },
  agent: { one: 'Agent', many: 'Agents' },
  escalation_route: { one: 'Escalation step', many: 'Escalation steps' },
  post: { one: 'Post', many: 'Posts', unnamed: '(untitled)' },
  picture: { one: 'Image', many: 'Images' },
  blog: { one: 'Blog settings', many: 'Blog settings' },
  identity: { one: 'Business profile', many: 'Business profile' },
  address: { one: 'Email address', many: 'Email addresses' },
  api_key: { one: 'API key', many: 'API keys' },
  calendar_feed: { one: 'Calendar subscription', many: 'Calendar subscription' },
  mail: { one: 'Email', many: 'Other emails', counted: 'emails' },
  quarantined_mail: { one: 'Blocked message from', many: 'Blocked messages' },
  account: { one: 'Account', many: 'Account' },
  session: { one: 'Session', many: 'Sign-ins', counted: 'sessions' },
  two_factor: { one: 'Two-factor sign-in', many: 'Two-factor sign-in' },
  oidc_account: { one: 'Single sign-on as', many: 'Single sign-on', counted: 'single sign-on accounts', unnamed: '(no email)' },
  passkey: { one: 'Passkey', many: 'Passkeys' },
  webhook: { one: 'Webhook', many: 'Webhooks' },
  membership: { one: 'Member', many: 'Members' },
  invitation: { one: 'Invitation', many: 'Invitations' },
};

/** Records of a kind by their number: "30 emails". */
export function countLabel(resource: AuditResource, count: number): string {
  const { many, counted = many } = resourceLabels[resource];
  // "API keys" keeps its capitals.
  return `${count} ${counted.replace(/^[A-Z](?=[a-z])/, (letter) => letter.toLowerCase())}`;
}

/** Labels of the author filter. */
export const authorFilters: Record<'owner' | 'key' | 'agent' | 'system' | 'database', string> = {
  owner: 'People',
  key: 'Any API key',
  agent: 'Agents',
  system: 'System',
  database: 'Direct database change',
};

export const actionFilters: Record<AuditEntry['action'], string> = {
  created: 'Created',
  updated: 'Changed',
  deleted: 'Deleted',
};

/** Causes of changes that the installation made automatically. */
const causes: Readonly<Record<string, string>> = {
  operator: 'admin command',
  setup: 'initial setup',
  reset: 'password reset by email',
  mail: 'email received',
  delivery: 'email delivery',
  reminders: 'reminder',
  invitee: 'guest responded',
  invitation: 'invitation',
  upkeep: 'maintenance',
  addresses: 'address verification',
  webhooks: 'webhook delivery',
  single_sign_on: 'single sign-on',
};

/** The author of a change. */
export function authorName({ kind, name }: AuditEntry['author']): string {
  switch (kind) {
    case 'owner':
      return name ?? 'A former member';
    case 'key':
      return name ?? 'A deleted API key';
    case 'agent':
      return name ?? 'A former agent';
    case 'system':
      return `System · ${causes[name ?? ''] ?? 'automatic'}`;
    case 'database':
      return 'Direct database change';
  }
}

const fieldNames: Readonly<Record<string, string>> = {
  allDay: 'all day',
  assigneeAgentId: 'assigned agent',
  assigneeUserId: 'assigned member',
  authorAgentId: 'author agent',
  avatarUrl: 'image',
  answeredAt: 'response time',
  answeredBy: 'response channel',
  agentId: 'agent',
  createdBy: 'created by',
  coverImageUrl: 'cover image',
  customerId: 'customer',
  email: 'email',
  endAt: 'end',
  eventId: 'event',
  fromEmail: 'sender',
  fromName: 'sender name',
  counterpartEmail: 'correspondent',
  counterpartName: 'correspondent name',
  disabledReason: 'disabled because',
  enabledAt: 'turned on',
  isArchived: 'archived',
  invitedBy: 'invited by',
  isAutoReply: 'auto-reply',
  isOptional: 'optional',
  isPrimary: 'primary',
  isRead: 'read',
  isSpam: 'spam',
  isTrashed: 'trash',
  last4: 'last four characters',
  metaDescription: 'SEO description',
  oldSecretUntil: 'old secret valid until',
  originAddress: 'received at',
  ownerUserId: 'owner',
  passwordHash: 'password',
  photoId: 'photo',
  publishedAt: 'publication date',
  removedAttachments: 'deleted attachments',
  recurrenceEndAt: 'repeat until',
  recurrenceEndDate: 'repeat until',
  virtualMeeting: 'online meeting',
  requiresTwoFactor: 'two-factor required',
  response: 'response',
  roleId: 'role',
  scopes: 'access',
  sendEmailReminders: 'email reminders',
  slug: 'URL',
  startAt: 'start',
  timeoutMins: 'wait before next step',
  timezone: 'time zone',
  toUserId: 'user',
  userAgent: 'browser',
  userId: 'user',
};

/** The label of a field: `displayName` is "display name". */
export function fieldName(field: string): string {
  return fieldNames[field] ?? field.replace(/([a-z0-9])([A-Z])/g, '$1 $2').toLowerCase();
}

/** How long the log is kept: "Kept for 365 days."; indefinitely for 0. */
export function keptLabel(days: number, locale: string): string {
  if (days === 0) return 'Kept indefinitely.';
  return `Kept for ${days.toLocaleString(locale)} day${days === 1 ? '' : 's'}.`;
}
