/** What transactions can be serialized by. */
type Subject =
  | 'api-keys'
  | 'blog-settings'
  | 'blog-slugs'
  | 'businesses'
  | 'further-addresses'
  | 'blocked-senders'
  | 'mailboxes'
  | 'members'
  | 'drafts'
  | 'push-subscriptions'
  | 'labels'
  | 'snippets'
  | 'test-emails'
  | 'webhooks';

interface Statements {
  query(statement: { name: string; text: string; values: unknown[] }): Promise<unknown>;
}

/**
 * Makes transactions of one owner wait for each other until they end. To keep a limit on rows, call this and then count, in a
 * statement of its own: a statement that waits for a lock itself does not see what was written while it waited.
 *
 * @throws an error with PostgreSQL's code for a lock that is not available in time, after which transactions are repeated
 */
export async function serialize(statements: Statements, subject: Subject, ownerId: string): Promise<void> {
  await statements.query({
    name: 'serialize',
    text: 'SELECT pg_advisory_xact_lock(hashtextextended($1, 0))',
    values: [`${subject}:${ownerId}`],
  });
}
