import type { Exception } from './findings';

/** Folders and files whose statements are not compared. */
export const leftOut: readonly { path: string; reason: string }[] = [
  { path: 'server/features/backup/', reason: 'copies all tables, whatever they are, and uses temporary ones' },
  { path: 'server/platform/db/', reason: 'starts and migrates databases of any state' },
  {
    path: 'server/features/accounts/erasure.service.ts',
    reason: 'deletes all that belongs to a business, in the order that foreign keys and the audit log need',
  },
];

const onlyTracked = 'the WHERE leaves out executions without an outcome, and a CHECK gives those with one a status';
const published = 'a CHECK gives every post that is published a time';

/** Findings that are accepted, each with its reason. */
export const exceptions: readonly Exception[] = [
  ...['agent-executions', 'agent-executions-before'].flatMap((statement) =>
    ['outcome', 'status'].map((subject) => ({ kind: 'undeclared null' as const, statement, subject, reason: onlyTracked })),
  ),
  ...['blog-public-post', 'server/features/blog/public-blog.service.ts'].map((statement) => ({
    kind: 'undeclared null' as const,
    statement,
    subject: 'publishedAt',
    reason: published,
  })),
  { kind: 'undeclared null', statement: 'contacts-link', subject: 'customer_id', reason: 'the statement writes it' },
  { kind: 'undeclared null', statement: 'contacts-link', subject: 'link_order', reason: 'the statement writes it' },
  { kind: 'undeclared null', statement: 'customer-contacts', subject: 'customer_id', reason: 'the WHERE asks for it' },
  ...['scheduled-emails', 'scheduled-emails-behind'].map((statement) => ({
    kind: 'undeclared null' as const,
    statement,
    subject: 'sendAt',
    reason: 'the WHERE asks for it',
  })),
  ...['host', 'port', 'security', 'username'].map((subject) => ({
    kind: 'undeclared null' as const,
    statement: 'outbox-mailbox',
    subject,
    reason: 'a CHECK gives mailboxes with a server to send by all of it',
  })),
  { kind: 'undeclared null', statement: 'outbox-withdraw-messages', subject: 'messageId', reason: 'the WHERE asks for it' },
  { kind: 'undeclared null', statement: 'snooze-lock', subject: 'snoozedUntil', reason: 'the WHERE asks for it' },
  {
    kind: 'undeclared null',
    statement: 'conversation-tasks',
    subject: 'id',
    reason: 'the WHERE leaves out records without a task',
  },
  { kind: 'wrong type', statement: 'home-agents', subject: 'status', reason: 'the WHERE leaves out archived agents' },
  { kind: 'wrong type', statement: 'outbox-note', subject: 'state', reason: 'the statement writes one of the three' },
  {
    kind: 'never run',
    statement: 'idempotent-request-applied',
    subject: '',
    reason: 'runs for answers above 256 kB, and no operation of a test has one',
  },
];
