import { pool } from '@/server/platform/db/pool';
import { removeInBatches } from '@/server/platform/db/remove-in-batches';
import { rows } from '@/server/platform/db/sql';
import { addJobs } from '@/server/platform/jobs/queue';
import { removeIdleQueues } from '@/server/platform/jobs/queue-tables';
import type { JobDefinitions } from '@/server/platform/jobs/worker';
import { deliverNotifications } from './delivery.service';
import { deliverJob, dueAt, type MemberKey } from './delivery-job';

/** Members per sweep. */
const sweepSize = 500;

/** Days that notifications are kept, read or not. */
const keptDays = 90;

/**
 * Adds the jobs of members for whom something is due: it was lost with the queue, or set to a later time by a transaction at the same
 * moment. For one that runs right now, the extra job finds nothing.
 */
export async function sweepNotifications(): Promise<void> {
  const due = await rows<MemberKey>(pool(), {
    name: 'notifications-due',
    text: `SELECT DISTINCT identity_id AS "identityId", user_id AS "userId" FROM (
        SELECT identity_id, user_id FROM notifications WHERE ${dueAt} <= now() ORDER BY ${dueAt} LIMIT ${sweepSize}
      ) due`,
    values: [],
  });
  const jobs = due.map((key) => ({ key: `${deliverJob}:${key.identityId}:${key.userId}`, payload: key }));
  await addJobs(pool(), deliverJob, jobs);
}

/** They send pushes, each of which may take 5 s. */
export const notificationDeliveryJobs: JobDefinitions = {
  tasks: { [deliverJob]: (payload, { abortSignal }) => deliverNotifications(payload as MemberKey, { signal: abortSignal }) },
  crontab: [],
  slots: 'outbound',
};

export const notificationJobs: JobDefinitions = {
  tasks: { 'sweep-notifications': sweepNotifications },
  crontab: ['* * * * * sweep-notifications'],
  removeExpired: async (signal) => {
    const condition = `created_at < now() - make_interval(days => $1)`;
    await removeInBatches({ table: 'notifications', condition, values: [keptDays], signal });
    await removeIdleQueues(deliverJob);
  },
};
