import type { StatementRunner } from '@/server/platform/db/transaction';
import { runWithCommit } from '@/server/platform/db/transaction';
import { JobKind } from '@/server/platform/jobs/job';

export interface MemberKey {
  identityId: string;
  userId: string;
}

/**
 * The job that emails and pushes what is due for a member: one for each member, due with the first of their notifications. So a push service
 * that does not respond, for up to 5 s, does not delay other members.
 */
export const deliverJob = new JobKind<MemberKey>('deliver-notifications', 'outbound');

/** When something of a notification is due next; null if nothing is. */
export const dueAt = 'least(mail_due_at, push_due_at)';

/**
 * Schedules the jobs of members with the COMMIT of the open transaction. Of two transactions at the same moment one may not see what the
 * other adds, so a sooner time stays; a job that comes too early schedules itself again.
 */
export async function scheduleDelivery(db: StatementRunner, identityId: string, userIds: readonly string[]): Promise<void> {
  if (userIds.length === 0) return;
  await runWithCommit(db, {
    name: 'notifications-schedule',
    text: `SELECT schedule_job($3, $4, $1::uuid || ':' || user_id, jsonb_build_object('identityId', $1::uuid, 'userId', user_id), due_at,
        or_sooner := true)
      FROM (
        SELECT user_id, min(${dueAt}) AS due_at FROM notifications
        WHERE identity_id = $1::uuid AND user_id = ANY ($2::uuid[]) AND ${dueAt} IS NOT NULL GROUP BY user_id ORDER BY user_id
      ) due`,
    values: [identityId, userIds, deliverJob.kind, deliverJob.lanes[0]],
  });
}
