import type { StatementRunner } from './transaction';

/** What transactions can be serialized by. */
type Subject = 'api-keys' | 'businesses' | 'further-addresses' | 'members' | 'push-subscriptions' | 'test-mails' | 'webhooks';

/**
 * Makes transactions of one owner wait for each other until they end. To keep a limit on rows, call this and then count, in a
 * statement of its own: a statement that waits for a lock itself does not see what was written while it waited.
 *
 * @throws an error with PostgreSQL's code for a lock that is not available in time, after which transactions are repeated
 */
export async function serialize(statements: StatementRunner, subject: Subject, ownerId: string): Promise<void> {
  await statements.query({
    name: 'serialize',
    text: 'SELECT pg_advisory_xact_lock(hashtextextended($1, 0))',
    values: [`${subject}:${ownerId}`],
  });
}
