import { formatBytes } from '@/app/_kit/format-bytes';
import { countedRecords, type DataKind, type DataOverview } from '@/server/features/data/data.schema';

export const kindLabels: Record<DataKind, string> = {
  conversations: 'Conversations',
  messages: 'Messages',
  notes: 'Internal notes',
  drafts: 'Drafts of emails',
  labels: 'Labels',
  blockedSenders: 'Blocked senders',
  mailboxes: 'Mailboxes',
  snippets: 'Snippets',
  customers: 'Customers',
  contacts: 'Contacts of customers',
  agents: 'Agents',
  events: 'Calendar events',
  posts: 'Blog posts',
  outbox: 'Sent mail',
  quarantine: 'Blocked messages',
  mergedConversations: 'Former ids of merged conversations',
  deletedMessages: 'Ids of deleted messages',
  deletedRecords: 'Deleted customers, events and posts',
  usage: 'Usage details',
  tasks: 'Tasks of agents',
  eventLog: 'Event log',
  deliveries: 'Webhook deliveries',
  audit: 'Audit log',
  security: 'Security log',
};

type Kind = Pick<DataOverview['kinds'][number], 'records' | 'bytes'>;

/** "1,204", or "100,000+" where counting ended. */
export function recordsLabel(records: number, locale: string): string {
  const number = Math.min(records, countedRecords).toLocaleString(locale);
  return records > countedRecords ? `${number}+` : number;
}

/** "1.2 MB", more where counting ended; nothing for no records. */
export function sizeLabel({ records, bytes }: Kind, locale: string): string {
  if (records === 0) return '';
  return records > countedRecords ? `${formatBytes(bytes, locale)}+` : formatBytes(bytes, locale);
}

/** "90 days"; permanently for 0; until the records are deleted for null. */
export function retentionLabel(days: number | null, locale: string): string {
  if (days === null) return 'Until deleted';
  if (days === 0) return 'Always';
  return `${days.toLocaleString(locale)} day${days === 1 ? '' : 's'}`;
}
