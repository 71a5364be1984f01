import { expect, test } from 'vitest';
import { pool } from '@/server/platform/db/pool';
import { withFreshDatabase } from '@/server/testing/database';
import { createTestIdentity } from '@/server/testing/identity';
import { trackInput } from './usage.schema';
import { getUsageStats } from './usage.service';
import { type SerializedRecord, serializeRecord } from './usage.statement';
import { writeRecords } from './usage.writer';

withFreshDatabase();

const record = (eventId?: string) => serializeRecord(trackInput.parse({ type: 'token_usage', totalTokens: 1, eventId }));
/** A record that passes no schema, and that the database rejects. */
const poison = (): SerializedRecord => ({ ...record(), json: '{"id": "no id"}' });

test('a record the database refuses fails alone, whatever it was written with', async () => {
  const { actor, identityId } = await createTestIdentity();
  const requests = Array.from({ length: 60 }, (_, n) => writeRecords(identityId, [n % 20 === 7 ? poison() : record()]));
  const outcomes = await Promise.allSettled(requests);
  expect(outcomes.flatMap(({ status }, n) => (status === 'rejected' ? [n] : []))).toEqual([7, 27, 47]);
  expect((await getUsageStats(actor)).tokenUsage.current).toBe(57);
});

test('each request is told of its own records, in their order', async () => {
  const { identityId } = await createTestIdentity();
  const requests = Array.from({ length: 50 }, (_, n) => [record(), record(`e-${n % 7}`), record()]);
  const written = await Promise.all(requests.map((records) => writeRecords(identityId, records)));
  written.forEach((answers, n) => {
    expect([answers[0]?.id, answers[2]?.id]).toEqual([requests[n]?.[0]?.id, requests[n]?.[2]?.id]);
    expect(answers[1]).toEqual(written[n % 7]?.[1]);
  });
  const { rows } = await pool().query('SELECT count(*)::int AS n FROM usage_records WHERE identity_id = $1', [identityId]);
  expect(rows[0].n).toBe(100 + 7);
});

test('requests that come together are written together', async () => {
  const { identityId } = await createTestIdentity();
  const written = await Promise.all(Array.from({ length: 200 }, () => writeRecords(identityId, [record()])));
  // A statement has one time; the first request runs alone, the others are batched into one, or two on a slow machine.
  expect(new Set(written.map(([answer]) => answer?.createdAt.getTime())).size).toBeLessThanOrEqual(6);
});

test('one that waits for another server’s transaction about its event keeps the others waiting for nothing', async () => {
  const { actor, identityId } = await createTestIdentity();
  const other = await pool().connect();
  try {
    await other.query('BEGIN');
    const held = `INSERT INTO usage_events (identity_id, event_id, record_id, created_at) VALUES ($1, 'held', gen_random_uuid(), now())`;
    await other.query(held, [identityId]);
    const waits = writeRecords(identityId, [record('held')]);
    for (let n = 0; n < 5; n++) await writeRecords(identityId, [record()]);
    expect((await getUsageStats(actor)).tokenUsage.current).toBe(5);
    await other.query('ROLLBACK');
    await waits;
    expect((await getUsageStats(actor)).tokenUsage.current).toBe(6);
  } finally {
    other.release();
  }
});
