import { pool } from '@/server/platform/db/pool';
import { rows } from '@/server/platform/db/sql';
import { transaction } from '@/server/platform/db/transaction';
import { zoneData } from '@/server/platform/ical/zone-data';
import { JobKind } from '@/server/platform/jobs/job';
import { log } from '@/server/platform/log';
import { logFailure } from '@/server/platform/outage-log';
import { lockEvent, seriesOf } from './event.record';
import { indexColumns } from './event.times';
import { scheduleReminders } from './reminder.service';

/**
 * The index of events depends on the time zone data of the process that wrote it. Every start updates the events that were
 * written with other data, for example after a Node.js update with new time zone rules.
 */

const reindexJob = new JobKind('reindex-events');

const batchSize = 200;

/** Queues the job at server start. */
export async function requestReindexing(): Promise<void> {
  await reindexJob.schedule(pool(), { key: '', payload: {} });
}

async function reindex(identityId: string, eventId: string): Promise<void> {
  await transaction({ kind: 'system', cause: 'upkeep' }, async (client) => {
    const event = await lockEvent(client, identityId, eventId);
    const columns = Object.entries(indexColumns(seriesOf(event)));
    await client.query({
      name: 'calendar-event-reindex',
      text: `UPDATE calendar_events SET ${columns.map(([column], index) => `${column} = $${index + 3}`).join(', ')}
        WHERE identity_id = $1 AND id = $2`,
      values: [identityId, eventId, ...columns.map(([, value]) => value)],
    });
    await scheduleReminders(client, event);
  });
}

/**
 * Updates events that were written with other time zone data. Can be interrupted at any time: the next start continues.
 *
 * @param signal server shutdown
 */
export async function reindexEvents(signal?: AbortSignal): Promise<void> {
  let done = 0;
  for (let after = '00000000-0000-0000-0000-000000000000'; ; ) {
    const batch = await rows<{ id: string; identityId: string }>(pool(), {
      name: 'calendar-events-outdated',
      text: `SELECT id, identity_id AS "identityId" FROM calendar_events WHERE zone_data <> $1 AND id > $2 ORDER BY id LIMIT ${batchSize}`,
      values: [zoneData, after],
    });
    for (const { id, identityId } of batch) {
      signal?.throwIfAborted();
      await reindex(identityId, id).catch((error: unknown) => logFailure(error, { eventId: id }, 'an event was not reindexed'));
    }
    done += batch.length;
    const last = batch.at(-1);
    if (!last) break;
    after = last.id;
  }
  if (done > 0) log().info({ done, zoneData }, 'events reindexed for new time zone data');
}

export const reindexing = reindexJob.handledBy(({ signal }) => reindexEvents(signal));
