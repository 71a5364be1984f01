import { randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { pool } from '@/server/platform/db/pool';
import { rows } from '@/server/platform/db/sql';
import { rest } from '@/server/registry';
import { withFreshDatabase } from '@/server/testing/database';
import { untilReadable } from '@/server/testing/events';
import type { Ids } from '@/server/testing/examples';
import { createTestIdentity, type TestIdentity } from '@/server/testing/identity';
import { contentOf, createRecords, createRecordsFor, named, pathOf, queryOf } from '@/server/testing/operations';
import { type Call, withHttpServer } from '@/server/testing/rest';
import { answersTarget } from '../operations/operation';
import type { RestRoute } from './route-table';

/** Rules for every operation that changes something, generated from the registry. */

withFreshDatabase();
const call = withHttpServer();

const changing = rest.routes.all.filter(({ method }) => method !== 'GET');
/**
 * Usage records and deliveries are logs themselves; the former are counted instead of audited. An upload is what its email is. A
 * draft concerns only its author. Looking at a mailbox changes nothing.
 */
const isUnaudited =
  /^usage\.|^webhooks\.(test|replay|recover)$|^conversations\.uploadAttachment$|^drafts\.|^mailboxes\.(check|read)$/;
const audited = changing.filter(({ name }) => !isUnaudited.test(name));
let caller: TestIdentity;
let parameters: Ids;

/** From here on, the caller is another one, with what this operation's requests name, or without one, one of each resource. */
async function beginAfresh(route?: RestRoute): Promise<void> {
  caller = await createTestIdentity();
  parameters = route ? await createRecordsFor(caller, route) : await createRecords(caller);
  if (route?.name === 'conversations.restoreMany') {
    await call('DELETE', `/api/v1/conversations/${parameters.conversationId}`, { key: caller.key });
  }
}

let shared: [TestIdentity, Ids];

beforeAll(async () => {
  await beginAfresh();
  shared = [caller, parameters];
});

/** For tests that change nothing. */
beforeEach(() => {
  [caller, parameters] = shared;
});

function send(route: RestRoute, extra: Call = {}) {
  return call(route.method, pathOf(route, parameters), { key: caller.key, ...contentOf(route, parameters), ...extra });
}

interface Entry {
  author_kind: string;
  author_id: string;
  request_id: string;
  action: string;
}

function entriesOf(requestId: string | undefined): Promise<Entry[]> {
  return rows<Entry>(pool(), {
    text: 'SELECT author_kind, author_id, request_id, action FROM audit_entries WHERE identity_id = $1 AND request_id = $2',
    values: [caller.identityId, requestId ?? ''],
  });
}

async function countEntries(): Promise<number> {
  const [row] = await rows<{ count: number }>(pool(), {
    text: 'SELECT count(*)::int AS count FROM audit_entries WHERE identity_id = $1',
    values: [caller.identityId],
  });
  return row?.count ?? 0;
}

test('there is something to check', () => {
  expect(audited.length).toBeGreaterThanOrEqual(15);
  expect(changing.some(({ operation }) => operation.target)).toBe(true);
});

describe.each(named(audited))('%s', (_, route) => {
  test('is in the audit log, with its key and request', async () => {
    await beginAfresh(route);
    // An unpublished post can't be unpublished.
    if (route.name === 'blog.unpublish') {
      await call('POST', `/api/v1/blog/posts/${parameters.postId}/publish`, { key: caller.key });
    }
    // What is not deleted can't be restored.
    if (route.name.endsWith('.restore')) {
      await call('DELETE', pathOf(route, parameters).replace(/\/restore$/, ''), { key: caller.key });
    }
    const { status, headers } = await send(route);
    expect([200, 201]).toContain(status);
    const entries = await entriesOf(headers['x-request-id']);
    expect(entries.length).toBeGreaterThan(0);
    for (const entry of entries) expect(entry).toMatchObject({ author_kind: 'key', author_id: caller.apiKeyActor.apiKeyId });
  });

  test('that is refused leaves nothing in the audit log', async () => {
    const before = await countEntries();
    expect((await send(route, { json: undefined, body: '{', headers: { 'content-type': 'application/json' } })).status).toBe(400);
    expect(await countEntries()).toBe(before);
  });
});

test('the id that a client chooses for its requests is kept apart from ours, which two requests never share', async () => {
  await beginAfresh();
  const headers = { 'x-request-id': 'chosen-twice' };
  for (const company of ['One', 'Two']) {
    const path = `/api/v1/identity/customers/${parameters.id}`;
    const answer = await call('PATCH', path, { key: caller.key, json: { company }, headers });
    expect(answer.headers['x-request-id']).toBe('chosen-twice');
  }
  const entries = await rows<{ request_id: string }>(pool(), {
    text: 'SELECT request_id FROM audit_entries WHERE identity_id = $1 AND client_request_id = $2',
    values: [caller.identityId, 'chosen-twice'],
  });
  expect(entries).toHaveLength(2);
  for (const { request_id: own } of entries)
    expect(own).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(new Set(entries.map(({ request_id: own }) => own)).size).toBe(2);
});

test.each(['', 'two words', 'ü', 'x'.repeat(256)])('%j is no Idempotency-Key', async (key) => {
  const before = await countEntries();
  const headers = { 'idempotency-key': Buffer.from(key, 'utf8').toString('latin1') };
  const answer = await call('POST', '/api/v1/identity/customers', {
    key: caller.key,
    json: { contacts: [{ email: 'new@x.io' }] },
    headers,
  });
  expect(answer.status).toBe(400);
  expect(answer.body).toMatchObject({ details: { fields: { 'Idempotency-Key': expect.any(String) } } });
  expect(await countEntries()).toBe(before);
});

describe.each(named(changing))('%s under an Idempotency-Key', (_, route) => {
  const withKey = (key: string, extra: Call = {}) => send(route, { headers: { 'idempotency-key': key }, ...extra });

  test('is carried out once, and answers the same again', async () => {
    await beginAfresh(route);
    const key = randomUUID();
    const first = await withKey(key);
    expect([200, 201]).toContain(first.status);
    expect(first.headers['idempotent-replayed']).toBeUndefined();
    const entries = await countEntries();
    const second = await withKey(key);
    if (route.meta.creates === 'secret') {
      expect(second).toMatchObject({ status: 409, body: { code: 'idempotency_answer_lost' } });
      expect(await countEntries()).toBe(entries);
      return;
    }
    expect(second).toMatchObject({ status: first.status, text: first.text });
    expect(second.headers['idempotent-replayed']).toBe('true');
    expect(second.headers['x-request-id']).not.toBe(first.headers['x-request-id']);
    expect(await countEntries()).toBe(entries);
  });

  test('is carried out once however many come at the same moment', async () => {
    await beginAfresh(route);
    const key = randomUUID();
    const answers = await Promise.all(Array.from({ length: 8 }, () => withKey(key)));
    if (route.meta.creates === 'secret') {
      expect(answers.filter(({ status }) => status < 300)).toHaveLength(1);
      const codes = answers.flatMap(({ status, body }) => (status < 300 ? [] : (body as { code: string }).code));
      for (const code of codes) expect(code).toMatch(/^idempotency_(running|answer_lost)$/);
      return;
    }
    const carriedOut = answers.filter(({ status, headers }) => status < 300 && !headers['idempotent-replayed']);
    expect(carriedOut).toHaveLength(1);
    for (const { status, text, headers, body } of answers) {
      if (status === 409) {
        expect(body).toMatchObject({ code: 'idempotency_running' });
        expect(headers['retry-after']).toBe('1');
      } else expect(text).toBe(carriedOut[0]?.text);
    }
    expect(await withKey(key)).toMatchObject({ text: carriedOut[0]?.text });
  });

  test('refuses another request with it', async () => {
    await beginAfresh(route);
    const key = randomUUID();
    await withKey(key);
    const other = changing.find(({ name, segments }) => name !== route.name && !segments.some(({ parameter }) => parameter));
    const answer = await send(other as RestRoute, { headers: { 'idempotency-key': key } });
    expect(answer.status).toBe(422);
    expect(answer.body).toMatchObject({ code: 'idempotency_mismatch' });
  });

  test('is another one’s than another key’s', async () => {
    await beginAfresh(route);
    const key = randomUUID();
    const first = await withKey(key);
    const stranger = await createTestIdentity();
    const theirs = await withKey(key, { key: stranger.key });
    expect(theirs.headers['idempotent-replayed']).toBeUndefined();
    // What a server says of a mailbox is the same for both.
    if (route.name !== 'mailboxes.check') expect(theirs.text).not.toBe(first.text);
  });
});

function targetOf({ operation: { target } }: RestRoute): RestRoute {
  const found = rest.routes.all.find(({ operation }) => operation === target);
  if (!found) throw new Error('There is no such GET.');
  return found;
}

const conditional = changing.filter(({ operation }) => operation.target);

describe.each(named(conditional))('%s with If-Match', (_, route) => {
  const target = targetOf(route);
  const read = (headers: Call['headers'] = {}) => call('GET', pathOf(target, parameters), { key: caller.key, headers });
  const sendMatching = (tag: string) => send(route, { headers: { 'if-match': tag } });

  test('is refused where the resource is another one by now, and changes nothing', async () => {
    const before = await read();
    const entries = await countEntries();
    const answer = await sendMatching('"seen-long-ago"');
    expect(answer.status).toBe(412);
    expect(answer.headers.etag).toBe(before.headers.etag);
    expect(answer.body).toMatchObject({ code: 'precondition_failed' });
    expect((await read()).text).toBe(before.text);
    expect(await countEntries()).toBe(entries);
  });

  test('is done where it is still the same, also by a tag of a compressed answer or any', async () => {
    await beginAfresh(route);
    const { headers } = await read();
    const compressed = await read({ 'accept-encoding': 'br' });
    const weak = compressed.headers['content-encoding'] ? compressed.headers.etag : `W/${headers.etag}`;
    const answer = await sendMatching(`"other", ${weak}`);
    expect(answer.status).toBeLessThan(300);
    if (answersTarget(route.operation)) expect(answer.headers.etag).toBe((await read()).headers.etag);
    if (route.method !== 'DELETE') expect((await sendMatching('*')).status).toBeLessThan(500);
  });
});

test.each(named(conditional.filter(({ method }) => method === 'PATCH')))(
  '%s with If-Match lets one of several come through that have seen the same',
  async (_, route) => {
    await beginAfresh(route);
    const target = targetOf(route);
    const read = () => call('GET', pathOf(target, parameters), { key: caller.key });
    const { headers } = await read();
    const sent = { headers: { 'if-match': headers.etag ?? '' } };
    const answers = await Promise.all(Array.from({ length: 6 }, () => send(route, sent)));
    const statuses = answers.map(({ status }) => status);
    expect(statuses.every((status) => status === 200 || status === 412)).toBe(true);
    expect(statuses).toContain(200);
    // A request without effect leaves the resource unchanged for all of them.
    if ((await read()).headers.etag !== headers.etag) expect(statuses.filter((status) => status === 200)).toHaveLength(1);
  },
);

const reads = rest.routes.all.filter(({ method }) => method === 'GET');

describe.each(named(reads))('%s', (_, route) => {
  const path = () => `${pathOf(route, parameters)}?${queryOf(route, parameters)}`;

  test('has a tag, and is neither sent again to who knows it nor counted then', async () => {
    await beginAfresh();
    await pool().query(`UPDATE identities SET plan = 'free' WHERE id = $1`, [caller.identityId]);
    if (route.path === '/event-log') await untilReadable(caller.actor);
    const first = await call('GET', path(), { key: caller.key });
    expect(first.headers['x-ratelimit-remaining']).toBe('99');
    expect(first.headers.etag).toMatch(/^"[\w.-]+"$/);
    const again = await call('GET', path(), { key: caller.key, headers: { 'if-none-match': `"x", ${first.headers.etag}` } });
    expect(again).toMatchObject({ status: 304, text: '' });
    expect(again.headers.etag).toBe(first.headers.etag);
    expect(again.headers['content-type']).toBeUndefined();
    expect(again.headers['x-ratelimit-remaining']).toBe('99');
    const head = await call('HEAD', path(), { key: caller.key });
    expect(head).toMatchObject({ status: 200, text: '' });
    expect(head.headers.etag).toBe(first.headers.etag);
    expect(head.headers['x-ratelimit-remaining']).toBe('98');
  });
});
