import type { StatementRunner } from '@/server/platform/db/transaction';
import { runWithCommit } from '@/server/platform/db/transaction';

/**
 * The job that mails and pushes what is due for a member. There is at most one that waits, at the earliest time that something is due, and
 * one that runs: push services that hang do not hold up other members.
 */

export const deliverJob = 'deliver-notifications';

export interface MemberKey {
  identityId: string;
  userId: string;
}

/** When something of a notification is due next; null if nothing is. */
export const dueAt = 'least(mail_due_at, push_due_at)';

/**
 * Adds the jobs of members with the COMMIT of the open transaction. Of two transactions at the same moment one may not see what the other
 * adds, and set the job to a later time; then the sweep finds what is due.
 */
export async function scheduleDelivery(db: StatementRunner, identityId: string, userIds: readonly string[]): Promise<void> {
  if (userIds.length === 0) return;
  await runWithCommit(db, {
    name: 'notifications-schedule',
    text: `SELECT graphile_worker.add_job($3::text, json_build_object('identityId', $1::uuid, 'userId', d.user_id),
        queue_name := $3::text || ':' || $1::uuid || ':' || d.user_id, job_key := $3::text || ':' || $1::uuid || ':' || d.user_id,
        run_at := d.due_at)
      FROM (
        SELECT user_id, min(${dueAt}) AS due_at FROM notifications
        WHERE identity_id = $1::uuid AND user_id = ANY ($2::uuid[]) AND ${dueAt} IS NOT NULL GROUP BY user_id ORDER BY user_id
      ) d`,
    values: [identityId, userIds, deliverJob],
  });
}
