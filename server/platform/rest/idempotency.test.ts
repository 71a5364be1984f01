import { expect, test } from 'vitest';
import { pool } from '@/server/platform/db/pool';
import { rows } from '@/server/platform/db/sql';
import { withFreshDatabase } from '@/server/testing/database';
import { createTestIdentity, type TestIdentity } from '@/server/testing/identity';
import { withHttpServer } from '@/server/testing/rest';

/** Cases not covered by changes.test.ts: crashes, expiry, and counting. */

withFreshDatabase();
const call = withHttpServer();

const json = { contacts: [{ email: 'ann@x.io' }] };

function create({ key }: TestIdentity, idempotencyKey: string) {
  return call('POST', '/api/v1/identity/customers', { key, json, headers: { 'idempotency-key': idempotencyKey } });
}

/** Changes a key's record to the state after a crash, or after some time. */
async function change(identity: TestIdentity, assignment: string): Promise<void> {
  await pool().query(`UPDATE idempotent_requests SET ${assignment} WHERE api_key_id = $1`, [identity.apiKeyActor.apiKeyId]);
}

async function countCustomers({ identityId }: TestIdentity): Promise<number> {
  const [row] = await rows<{ count: number }>(pool(), {
    text: 'SELECT count(*)::int AS count FROM customers WHERE identity_id = $1',
    values: [identityId],
  });
  return row?.count ?? 0;
}

const withoutAnswer = 'status = NULL, headers = NULL, body = NULL';

test('what was carried out is not carried out again, though its answer was lost', async () => {
  const identity = await createTestIdentity();
  const first = await create(identity, 'a');
  await change(identity, withoutAnswer);
  const again = await create(identity, 'a');
  expect(again).toMatchObject({ status: 409, body: { code: 'idempotency_answer_lost' } });
  expect(again.body).toMatchObject({ details: { requestId: first.headers['x-request-id'] } });
  expect(await countCustomers(identity)).toBe(1);
});

test('what was begun and not done is carried out', async () => {
  const identity = await createTestIdentity();
  await create(identity, 'a');
  await pool()
    .query('DELETE FROM customers WHERE identity_id = $1', [identity.identityId])
    .catch(() => undefined);
  await change(identity, `${withoutAnswer}, is_applied = false`);
  const again = await call('PATCH', '/api/v1/identity', {
    key: identity.key,
    json: { displayName: 'x' },
    headers: { 'idempotency-key': 'a' },
  });
  expect(again).toMatchObject({ status: 422 });
  expect((await create(identity, 'a')).headers['idempotent-replayed']).toBeUndefined();
});

test('after a day the key is free', async () => {
  const identity = await createTestIdentity();
  await create(identity, 'a');
  await change(identity, `created_at = now() - interval '25 hours'`);
  const other = await call('PATCH', '/api/v1/identity', {
    key: identity.key,
    json: { displayName: 'x' },
    headers: { 'idempotency-key': 'a' },
  });
  expect(other.status).toBe(200);
});

test('usage counts once under a key, also where the record of the key was lost, and again the next day', async () => {
  const identity = await createTestIdentity();
  const track = () =>
    call('POST', '/api/v1/usage/track', {
      key: identity.key,
      json: { type: 'token_usage', totalTokens: 5 },
      headers: { 'idempotency-key': 'nightly' },
    });
  const tokens = async () => {
    const { body } = await call('GET', '/api/v1/usage/stats', { key: identity.key });
    return (body as { tokenUsage: { current: number } }).tokenUsage.current;
  };
  await track();
  await track();
  expect(await tokens()).toBe(5);
  await change(identity, withoutAnswer);
  expect((await track()).status).toBe(200);
  expect(await tokens()).toBe(5);
  await change(identity, `created_at = now() - interval '25 hours'`);
  await track();
  expect(await tokens()).toBe(10);
});

test('a body too deep to be compared is refused, and the key stays free', async () => {
  const identity = await createTestIdentity();
  const deep = `{"contacts":[{"email":"a@x.io"}],"metadata":${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}}`;
  const headers = { 'idempotency-key': 'a', 'content-type': 'application/json' };
  const answer = await call('POST', '/api/v1/identity/customers', { key: identity.key, body: deep, headers });
  expect(answer.status).toBe(400);
  expect((await create(identity, 'a')).status).toBe(201);
});
