import type pg from 'pg';
import { keepPartitions } from '@/server/platform/db/partitions';
import { batchOf, inBatches, removeInBatches } from '@/server/platform/db/remove-in-batches';
import { rows } from '@/server/platform/db/sql';
import { env } from '@/server/platform/env';

const isOldTask = 'updated_at < now() - make_interval(days => $1)';

/**
 * Forgets tasks without an execution for `days`. What they did stays in the statistics of their agents; those that never ended are
 * not counted as active any more.
 */
async function forgetTasks(client: pg.PoolClient, batchSize: number, days: number): Promise<number> {
  const [forgotten] = await rows<{ count: number }>(client, {
    text: `WITH forgotten AS (
        DELETE FROM tracked_tasks WHERE ${batchOf('tracked_tasks', isOldTask, batchSize)} RETURNING identity_id, agent_id, outcome
      ), unfinished AS (
        SELECT identity_id, agent_id, count(*) AS tasks FROM forgotten WHERE outcome IN ('active', 'escalated')
        GROUP BY identity_id, agent_id ORDER BY identity_id, agent_id
      ), settled AS (
        UPDATE agent_activity a SET active = a.active - u.tasks FROM unfinished u
        WHERE a.identity_id = u.identity_id AND a.agent_id = u.agent_id AND a.shard = (
          SELECT shard FROM agent_activity WHERE identity_id = u.identity_id AND agent_id = u.agent_id ORDER BY shard LIMIT 1
        )
      )
      SELECT count(*)::int AS count FROM forgotten`,
    values: [days],
  });
  return forgotten?.count ?? 0;
}

/** Removes reported usage and tracked tasks older than USAGE_RETENTION_DAYS; the sums of both stay. */
export async function removeOldUsage(signal?: AbortSignal): Promise<void> {
  const days = env().USAGE_RETENTION_DAYS;
  await keepPartitions({ table: 'usage_records', column: 'created_at', days, signal });
  if (days === 0) return;
  const condition = 'created_at < now() - make_interval(days => $1)';
  await removeInBatches({ table: 'usage_events', condition, values: [days], signal });
  await inBatches((client, batchSize) => forgetTasks(client, batchSize, days), { signal });
}
