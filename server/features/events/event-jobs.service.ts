import { restorableDays } from '@/server/features/deletions/deletion.schema';
import { keepPartitions } from '@/server/platform/db/partitions';
import { pool } from '@/server/platform/db/pool';
import { removeInBatches } from '@/server/platform/db/remove-in-batches';
import { rows } from '@/server/platform/db/sql';
import { env } from '@/server/platform/env';
import { log } from '@/server/platform/log';
import { daysToGoOn } from './event-log.service';

/** Added to positions when transactions are counted from another number; more than any database counts in its life. */
const nextLife = 2n ** 44n;

/**
 * Keeps positions rising in a restored database, where PostgreSQL counts transactions again. Called before the first event of a process.
 * The server and its timeline change with a restore, a copy to another server, or a failover.
 */
export async function alignEventClock(): Promise<void> {
  const [moved] = await rows<{ offset: string }>(pool(), {
    name: 'event-clock-align',
    text: `UPDATE event_clock SET timeline = now.timeline, "offset" = CASE event_clock.timeline WHEN '' THEN 0 ELSE "offset" + $1 END
      FROM (SELECT s.system_identifier || ':' || c.timeline_id AS timeline FROM pg_control_system() s, pg_control_checkpoint() c) now
      WHERE event_clock.timeline <> now.timeline RETURNING event_clock."offset"::text`,
    values: [nextLife],
  });
  if (moved && moved.offset !== '0') log().info('the event log goes on after what another database server has counted');
}

export async function removeOldEvents(signal?: AbortSignal): Promise<void> {
  const days = env().EVENT_RETENTION_DAYS + daysToGoOn;
  await keepPartitions({ table: 'event_log', column: 'created_at', days, signal });
  const condition = 'is_deleted AND changed_at < now() - make_interval(days => $1)';
  // A restored object goes on with its version.
  const values = [Math.max(days, restorableDays)];
  await removeInBatches({ table: 'object_versions', condition, values, signal });
}
