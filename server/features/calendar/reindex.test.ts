import { expect, test } from 'vitest';
import { pool } from '@/server/platform/db/pool';
import { createTestEvent, freeAt } from '@/server/testing/calendar';
import { withFreshDatabase } from '@/server/testing/database';
import { createTestIdentity } from '@/server/testing/identity';
import { reindexEvents } from './reindex.service';

withFreshDatabase();

test('what was written with other time zone data is found again once it is made anew', async () => {
  const { actor, identityId } = await createTestIdentity();
  const at = { startTime: '2026-03-02T09:00:00Z', endTime: '2026-03-02T09:30:00Z' };
  const [outdated, current] = [
    await createTestEvent(actor, { ...at, recurrence: 'daily' }),
    await createTestEvent(actor, { ...at, recurrence: 'weekly' }),
  ];
  await pool().query(
    `UPDATE calendar_events SET phase_from = phase_from + 600, phase_to = phase_to + 600 WHERE identity_id = $1`,
    [identityId],
  );
  await pool().query(`UPDATE calendar_events SET zone_data = 'older' WHERE id = $1`, [outdated.id]);
  const found = async () => (await freeAt(actor, '2026-03-09T09:00:00Z', '2026-03-09T09:30:00Z')).conflicts.map(({ id }) => id);
  expect(await found()).toEqual([]);
  await reindexEvents();
  // The other one is marked as up to date, and is skipped.
  expect(await found()).toEqual([outdated.id]);
  expect(current.id).not.toBe(outdated.id);
});
