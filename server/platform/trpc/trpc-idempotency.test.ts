import { expect, test } from 'vitest';
import { pool } from '@/server/platform/db/pool';
import { rows } from '@/server/platform/db/sql';
import { withProvableDomains } from '@/server/testing/addresses';
import { withFreshDatabase } from '@/server/testing/database';
import { ownInputs } from '@/server/testing/examples';
import type { TestIdentity } from '@/server/testing/identity';
import { createOwn } from '@/server/testing/operations';
import { withHttpServer } from '@/server/testing/rest';
import { sessionCookieOf } from '@/server/testing/session';
import { operations } from '../../registry';
import { createsOf } from '../operations/operation';

/**
 * Repeated calls of the dashboard (docs/adr/0012); those of programs are in rest/idempotency.test.ts and rest/changes.test.ts.
 */

withFreshDatabase({ PUBLIC_URL: 'https://desk.example.com' });
const dns = withProvableDomains();
const call = withHttpServer();

const creating = [...operations].flatMap(([name, operation]) => {
  const kind = createsOf(operation);
  return kind ? [{ name, kind }] : [];
});

async function caller() {
  const identity = await createOwn(dns);
  const headers = {
    host: 'desk.example.com',
    origin: 'https://desk.example.com',
    'sec-fetch-site': 'same-origin',
    cookie: await sessionCookieOf(identity),
  };
  const send = (name: string, json: object, idempotencyKey?: string, more: object = {}) =>
    call('POST', `/api/trpc/${name}`, {
      headers: { ...headers, ...(idempotencyKey ? { 'idempotency-key': idempotencyKey } : {}), ...more },
      json,
    });
  const inputOf = async (name: string) => (await ownInputs(name, identity))[0] ?? {};
  return { identity, send, inputOf };
}

/** Number of changes to the account, by the audit log. */
async function countEntries({ identityId, owner }: TestIdentity): Promise<number> {
  const [row] = await rows<{ count: number }>(pool(), {
    text: `SELECT (SELECT count(*) FROM audit_entries WHERE identity_id = $1)::int
      + (SELECT count(*) FROM account_audit_entries WHERE user_id = $2)::int AS count`,
    values: [identityId, owner.userId],
  });
  return row?.count ?? 0;
}

async function storedAnswers({ owner }: TestIdentity): Promise<{ status: number | null; body: string | null }[]> {
  return rows(pool(), { text: 'SELECT status, body FROM idempotent_requests WHERE user_id = $1', values: [owner.userId] });
}

test('there is something to check', () => {
  expect(creating.length).toBeGreaterThanOrEqual(12);
});

test.each(creating)('$name sent twice with one key makes one', async ({ name, kind }) => {
  const { identity, send, inputOf } = await caller();
  const input = await inputOf(name);
  const first = await send(name, input, 'a');
  expect(first).toMatchObject({ status: 200 });
  const before = await countEntries(identity);
  const again = await send(name, input, 'a');
  expect(await countEntries(identity)).toBe(before);
  if (kind === 'secret' || first.cookies.length > 0) {
    expect(again).toMatchObject({ status: 409, body: { error: { data: { code: 'idempotency_answer_lost' } } } });
    expect(await storedAnswers(identity)).toEqual([{ status: null, body: null }]);
  } else {
    expect(again).toMatchObject({ status: 200, body: first.body, headers: { 'idempotent-replayed': 'true' } });
    expect(again.headers['x-request-id']).not.toBe(first.headers['x-request-id']);
  }
});

test('several at the same moment make one', async () => {
  const { identity, send, inputOf } = await caller();
  const input = await inputOf('calendar.create');
  const answers = await Promise.all(Array.from({ length: 5 }, () => send('calendar.create', input, 'a')));
  expect(answers.map(({ status }) => status)).toContain(200);
  for (const { status, body } of answers)
    if (status !== 200) expect(body).toMatchObject({ error: { data: { code: 'idempotency_running' } } });
  const text = `SELECT 1 FROM calendar_events WHERE identity_id = $1 AND title = 'New'`;
  expect(await rows(pool(), { text, values: [identity.identityId] })).toHaveLength(1);
});

test('another key, or none, makes another; another input under the key is refused', async () => {
  const { identity, send, inputOf } = await caller();
  const count = async () => {
    const customers = await rows(pool(), {
      text: 'SELECT 1 FROM customers WHERE identity_id = $1',
      values: [identity.identityId],
    });
    return customers.length;
  };
  const created = await inputOf('customers.create');
  const before = await count();
  const create = (email: string, key?: string) => send('customers.create', { ...created, contacts: [{ email }] }, key);
  await create('a@x.io', 'a');
  await create('b@x.io', 'b');
  await create('c@x.io');
  expect(await count()).toBe(before + 3);
  expect(await create('d@x.io', 'a')).toMatchObject({ status: 422, body: { error: { data: { code: 'idempotency_mismatch' } } } });
  expect(await create('e@x.io', 'a b')).toMatchObject({ status: 400 });
  expect(await count()).toBe(before + 3);
});

test('keys of one account mean nothing to another, nor to a program', async () => {
  const [one, two] = [await caller(), await caller()];
  for (const { send, identity } of [one, two]) {
    expect(await send('agents.create', { name: identity.handle, roleId: 'same' }, 'shared')).toMatchObject({ status: 200 });
  }
  const json = { contacts: [{ email: 'program@x.io' }] };
  const headers = { 'idempotency-key': 'shared' };
  expect(await call('POST', '/api/v1/identity/customers', { key: one.identity.key, json, headers })).toMatchObject({
    status: 201,
  });
});

test('a conditional change is made once, and an unconditional one each time', async () => {
  const { send, inputOf } = await caller();
  const { id } = (await inputOf('customers.update')) as { id: string };
  const rename = (company: string, key: string, more: object) => send('customers.update', { id, company }, key, more);
  const revisionOf = ({ body }: { body: unknown }) => (body as { result: { data: { revision: number } } }).result.data.revision;
  const first = await rename('One', 'a', {});
  expect((await rename('One', 'a', {})).headers['idempotent-replayed']).toBeUndefined();
  const ifMatch = { 'if-match': `"${revisionOf(await rename('Two', 'b', {}))}"` };
  const changed = await rename('Three', 'c', ifMatch);
  expect(changed).toMatchObject({ status: 200 });
  expect(await rename('Three', 'c', ifMatch)).toMatchObject({ status: 200, body: changed.body });
  expect(await rename('Three', 'd', ifMatch)).toMatchObject({ status: 412 });
  expect(first.status).toBe(200);
});

test.each([
  ['alone', (envelope: object) => envelope],
  ['in a batch of one', (envelope: object) => [envelope]],
])('an answer that version 0.8.5 has kept %s is sent again', async (_, form) => {
  const { identity, send, inputOf } = await caller();
  const input = await inputOf('customers.create');
  const keep = (body: object, status: number) =>
    pool().query('UPDATE idempotent_requests SET status = $2, body = $3 WHERE user_id = $1', [
      ...[identity.owner.userId, status],
      JSON.stringify(form(body)),
    ]);
  await send('customers.create', input, 'a');
  await keep({ result: { data: { id: 'kept' } } }, 200);
  expect(await send('customers.create', input, 'a')).toMatchObject({
    status: 200,
    body: { result: { data: { id: 'kept' } } },
    headers: { 'idempotent-replayed': 'true' },
  });
  const data = { code: 'contact_conflict', httpStatus: 409, title: 'x', details: { email: 'a@x.io' }, requestId: 'theirs' };
  await keep({ error: { message: 'Taken.', code: -32009, data } }, 409);
  expect(await send('customers.create', input, 'a')).toMatchObject({
    status: 409,
    body: { error: { message: 'Taken.', data: { code: 'contact_conflict', details: { email: 'a@x.io' } } } },
  });
});

test('what was stored goes with the business that it tells of', async () => {
  const { identity, send, inputOf } = await caller();
  await send('customers.create', await inputOf('customers.create'), 'a');
  expect(await storedAnswers(identity)).toHaveLength(1);
  expect(await send('account.deleteIdentity', { handle: identity.handle })).toMatchObject({ status: 200 });
  expect(await storedAnswers(identity)).toEqual([]);
});
