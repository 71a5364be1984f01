import { setMaxListeners } from 'node:events';
import { expect, test } from 'vitest';
import { createCustomer, deleteCustomer, updateCustomer } from '@/server/features/customers/customer.service';
import { pool } from '@/server/platform/db/pool';
import { transaction } from '@/server/platform/db/transaction';
import { takeFromProcess } from '@/server/platform/process-globals';
import { queryAsOwner, withFreshDatabase } from '@/server/testing/database';
import { committedEvents, followLog } from '@/server/testing/events';
import { createTestIdentity, type TestIdentity } from '@/server/testing/identity';
import { customerEvents } from '../customers/customer.events.schema';
import { change, emit } from './emit.service';
import type { EventRecord, ReadEventsInput } from './event.schema';
import { readEvents, waitingTimes } from './event-log.service';
import { countWaiting, listenForEvents, stopWaiting } from './event-signals.service';

withFreshDatabase();

const read = ({ actor }: TestIdentity, input: Partial<ReadEventsInput> = {}) =>
  readEvents(actor, { limit: 50, wait: 0, ...input });

const newCustomer = ({ actor }: TestIdentity, company: string, email = `${company}@example.com`) =>
  createCustomer(actor, { company, contacts: [{ email }], phone: '', tags: [], notes: '', metadata: {} });

const nameOf = ({ data }: EventRecord) => ('object' in data ? data.object.company : undefined);

test('an event has the object as GET answers it, what was before, and who did it', async () => {
  const identity = await createTestIdentity();
  const created = await newCustomer(identity, 'first');
  const updated = await updateCustomer(identity.actor, { id: created.id, company: 'second', tags: ['vip'] });
  await deleteCustomer(identity.actor, created.id);
  const events = await followLog(identity.actor)(3);
  expect(events.map(({ type, object }) => [type, object])).toEqual([
    ['customer.created', { type: 'customer', id: created.id, version: 1 }],
    ['customer.updated', { type: 'customer', id: created.id, version: 2 }],
    ['customer.deleted', { type: 'customer', id: created.id, version: 3 }],
  ]);
  expect(events[0]?.data).toEqual({ object: created });
  const { company, tags, revision, updatedAt } = created;
  expect(events[1]?.data).toEqual({ object: updated, previousAttributes: { company, tags, revision, updatedAt } });
  // Fields keep the order of the answer.
  expect(JSON.stringify(events[1]?.data)).toContain(JSON.stringify(updated));
  expect(events[2]?.data).toEqual({ object: updated });
  expect(events[0]?.actor).toEqual({ type: 'user', id: identity.owner.userId, name: null });
});

test('a change of nothing is no event, and one that is rolled back neither', async () => {
  const identity = await createTestIdentity();
  const { id } = await newCustomer(identity, 'same');
  await updateCustomer(identity.actor, { id, company: 'same' });
  await expect(newCustomer(identity, 'other', 'same@example.com')).rejects.toThrow('belongs to another customer');
  expect(await committedEvents(identity)).toHaveLength(1);
});

test('what is too large for an event is linked', async () => {
  const identity = await createTestIdentity();
  const { id } = await newCustomer(identity, 'large');
  await updateCustomer(identity.actor, { id, notes: 'x'.repeat(21_000) });
  const [, event] = await committedEvents(identity);
  expect(event?.data).toEqual({ truncated: true, url: `http://localhost:3000/api/v1/identity/customers/${id}` });
});

test('pages join without gap or repetition, and an unchanged answer stays the same', async () => {
  const identity = await createTestIdentity();
  for (const name of ['a', 'b', 'c']) await newCustomer(identity, name);
  await followLog(identity.actor)(3);
  const names: unknown[] = [];
  let after: string | undefined;
  for (const hasMore of [true, true, false]) {
    const page = await read(identity, { limit: 1, after });
    expect(page.hasMore).toBe(hasMore);
    names.push(...page.events.map(nameOf));
    after = page.nextCursor;
  }
  expect(names).toEqual(['a', 'b', 'c']);
  const empty = await read(identity, { after });
  expect(empty).toEqual({ events: [], nextCursor: expect.any(String), hasMore: false });
  expect(await read(identity, { after: empty.nextCursor })).toEqual(empty);
});

test('events of one transaction keep their order where their numbers get longer', async () => {
  const identity = await createTestIdentity();
  await queryAsOwner(`SELECT setval(pg_get_serial_sequence('event_log', 'seq'), 9998)`);
  const ids = ['a', 'b', 'c', 'd'];
  const changes = ids.map((id) =>
    change({ kind: customerEvents, type: 'customer.created', id, object: { company: id } as never }),
  );
  await transaction(identity.actor, (client) => emit(client, identity.actor, changes));
  const follow = followLog(identity.actor);
  for (const id of ids) expect((await follow(1)).map(nameOf)).toEqual([id]);
  expect((await read(identity, { types: ['customer.created'] })).events.map(nameOf)).toEqual(ids);
});

test('types are filtered, however rare', async () => {
  const identity = await createTestIdentity();
  const { id } = await newCustomer(identity, 'a');
  for (const name of ['b', 'c']) await newCustomer(identity, name);
  await deleteCustomer(identity.actor, id);
  await followLog(identity.actor)(4);
  const types = async (...wanted: string[]) => (await read(identity, { types: wanted })).events.map(({ type }) => type);
  expect(await types('customer.deleted')).toEqual(['customer.deleted']);
  expect(await types('customer.*')).toHaveLength(4);
  expect(await types('blog.*', 'customer.updated')).toEqual([]);
  const page = await read(identity, { types: ['customer.created'], limit: 2 });
  expect(page).toMatchObject({ hasMore: true, events: [{}, {}] });
  const rest = await read(identity, { types: ['customer.created'], limit: 2, after: page.nextCursor });
  expect(rest.events.map(nameOf)).toEqual(['c']);
  expect(rest.hasMore).toBe(false);
});

test('a cursor of another identity, an old one and any other text are refused', async () => {
  const [identity, other] = [await createTestIdentity(), await createTestIdentity()];
  const { nextCursor } = await read(other);
  const forged = (text: string) => Buffer.from(text).toString('base64url');
  const [owner] = Buffer.from((await read(identity)).nextCursor, 'base64url')
    .toString()
    .split(' ');
  const old = (Date.now() - 32 * 86_400_000).toString(36);
  for (const after of [
    nextCursor,
    'x',
    '',
    forged(`${owner} 1 2`),
    forged(`${owner} 1 9999999999999999999 a`),
    forged(`${owner} 1 2 ${old}`),
  ]) {
    await expect(read(identity, { after })).rejects.toMatchObject({ code: 'invalid_cursor', status: 400 });
  }
});

test('no event is skipped, however long transactions take and in whichever order they commit', async () => {
  const identity = await createTestIdentity();
  const writers = 24;
  const opened: (() => unknown)[] = [];
  const inside: Promise<void>[] = [];
  const done: Promise<unknown>[] = [];
  const seen = followLog(identity.actor);
  const all = seen(writers * 3);
  // Three at a time, each with three events, committed in another order than begun, while new ones begin.
  for (let writer = 0; writer < writers; writer++) {
    const client = await pool().connect();
    const begin = async () => {
      await client.query('BEGIN');
      for (const part of [1, 2, 3]) {
        const id = `${writer}-${part}`;
        await emit(
          client,
          identity.actor,
          change({ kind: customerEvents, type: 'customer.created', id, object: { id } as never }),
        );
      }
    };
    inside.push(begin());
    opened.push(() => done.push(client.query('COMMIT').finally(() => client.release())));
    if (inside.length < 3) continue;
    await Promise.all(inside.splice(0));
    const order = writer % 2 === 0 ? [2, 0, 1] : [1, 2, 0];
    for (const index of order) opened[index]?.();
    opened.length = 0;
  }
  await Promise.all(done);
  const events = await all;
  expect(new Set(events.map(({ object }) => object.id)).size).toBe(writers * 3);
  expect(events).toHaveLength(writers * 3);
  expect(events.map(({ id }) => id)).toEqual((await committedEvents(identity)).map(({ id }) => id));
});

test('nothing is read beyond the oldest open transaction, and changes of one object keep their order', async () => {
  const identity = await createTestIdentity();
  const { id } = await newCustomer(identity, 'first');
  const follow = followLog(identity.actor);
  await follow(1);
  const older = await pool().connect();
  try {
    await older.query('BEGIN; SELECT pg_current_xact_id()');
    // Begun later, so its number is higher, but it changes the object first.
    await updateCustomer(identity.actor, { id, company: 'second' });
    const { nextCursor } = await read(identity);
    expect((await read(identity)).events.map(nameOf)).toEqual(['first']);
    const third = { id, company: 'third' } as never;
    await emit(older, identity.actor, change({ kind: customerEvents, type: 'customer.updated', id, object: third }));
    await older.query('COMMIT');
    // Nothing else has to happen before it can be read.
    const settled = 'SELECT 1 FROM event_log WHERE position >= pg_snapshot_xmax(pg_current_snapshot())::text::bigint';
    expect(await queryAsOwner(settled)).toEqual([]);
    const events = await followLog(identity.actor, nextCursor)(2);
    expect(events.map((event) => [nameOf(event), event.object.version])).toEqual([
      ['second', 2],
      ['third', 3],
    ]);
  } finally {
    older.release(true);
  }
});

test('an event that waited for the version of another object keeps the order of its own', async () => {
  const identity = await createTestIdentity();
  const { nextCursor } = await read(identity, { after: 'now' });
  const clients = await Promise.all([1, 2, 3].map(() => pool().connect()));
  const [first, waiting, quick] = clients as [(typeof clients)[0], (typeof clients)[0], (typeof clients)[0]];
  const write = (client: (typeof clients)[0], company: string, ...ids: string[]) =>
    emit(
      client,
      identity.actor,
      ids.map((id) => change({ kind: customerEvents, type: 'customer.updated', id, object: { company } as never })),
    );
  try {
    for (const client of clients) await client.query('BEGIN');
    await write(first, 'first', 'a');
    const waited = write(waiting, 'waited', 'a', 'b');
    const blocked = `SELECT count(*)::int AS count FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`;
    await expect.poll(() => queryAsOwner(blocked)).toEqual([{ count: 1 }]);
    await write(quick, 'quick', 'b');
    await quick.query('COMMIT');
    await first.query('COMMIT');
    await waited;
    await waiting.query('COMMIT');
  } finally {
    for (const client of clients) client.release(true);
  }
  const events = await followLog(identity.actor, nextCursor)(4);
  const versions = events.filter(({ object }) => object.id === 'b').map((event) => [nameOf(event), event.object.version]);
  expect(versions).toEqual([
    ['quick', 2],
    ['waited', 3],
  ]);
});

test('concurrent changes of one object get versions without gaps', async () => {
  const identity = await createTestIdentity();
  const { id } = await newCustomer(identity, 'busy');
  await Promise.all(
    Array.from({ length: 20 }, (_each, index) => updateCustomer(identity.actor, { id, company: `busy ${index}` })),
  );
  const versions = (await committedEvents(identity)).map(({ object }) => object.version);
  expect(versions).toEqual(Array.from({ length: 21 }, (_each, index) => index + 1));
});

test('a waiting reader holds no connection and is woken by the change', async () => {
  const identity = await createTestIdentity();
  const { nextCursor } = await read(identity, { after: 'now' });
  const answer = read(identity, { after: nextCursor, wait: 55 });
  await expect.poll(() => countWaiting(identity.identityId)).toBe(1);
  await expect.poll(() => pool().totalCount - pool().idleCount).toBe(0);
  await newCustomer(identity, 'awaited');
  expect((await answer).events.map(nameOf)).toEqual(['awaited']);
  expect(countWaiting(identity.identityId)).toBe(0);
});

test('a change of another process wakes a waiting reader', async () => {
  const identity = await createTestIdentity();
  const stop = listenForEvents();
  const usual = waitingTimes.lookAgainAfter;
  waitingTimes.lookAgainAfter = 600_000;
  try {
    const { nextCursor } = await read(identity, { after: 'now' });
    const listening = `SELECT count(*)::int AS count FROM pg_stat_activity WHERE application_name = 'frontdesk-listen' AND query LIKE 'LISTEN%'
      AND datname = current_database()`;
    await expect.poll(() => queryAsOwner(listening)).toEqual([{ count: 1 }]);
    const answer = read(identity, { after: nextCursor, wait: 55 });
    await expect.poll(() => countWaiting(identity.identityId)).toBe(1);
    // As another process does it: a change of which this one learns by its signal only.
    const other = await pool().connect();
    const object = { company: 'elsewhere' } as never;
    await other.query('BEGIN');
    await emit(other, identity.actor, change({ kind: customerEvents, type: 'customer.created', id: 'elsewhere', object }));
    await other.query('COMMIT');
    other.release();
    await queryAsOwner('SELECT pg_notify($1, $2)', ['frontdesk_events', identity.identityId]);
    expect((await answer).events.map(nameOf)).toEqual(['elsewhere']);
  } finally {
    waitingTimes.lookAgainAfter = usual;
    await stop();
  }
});

test('waiting ends when the client has gone, and when the server stops', async () => {
  const identity = await createTestIdentity();
  const { nextCursor } = await read(identity, { after: 'now' });
  const client = new AbortController();
  const input = { after: nextCursor, limit: 50, wait: 55 };
  const left = readEvents(identity.actor, input, { gone: client.signal });
  await expect.poll(() => countWaiting(identity.identityId)).toBe(1);
  client.abort();
  expect((await left).events).toEqual([]);
  const stopped = readEvents(identity.actor, input);
  await expect.poll(() => countWaiting(identity.identityId)).toBe(1);
  stopWaiting();
  expect((await stopped).events).toEqual([]);
  expect((await readEvents(identity.actor, input)).events).toEqual([]);
  takeFromProcess('event-signals');
});

test('too many waiting requests of one key, or of one identity, are refused', async () => {
  const identity = await createTestIdentity();
  const { nextCursor } = await read(identity, { after: 'now' });
  const client = new AbortController();
  setMaxListeners(50, client.signal);
  const key = (nr: number) => ({ ...identity.apiKeyActor, apiKeyId: `key ${nr}` });
  const wait = (nr: number) => readEvents(key(nr), { after: nextCursor, limit: 1, wait: 55 }, { gone: client.signal });
  const refusal = (limit: number) => ({
    code: 'rate_limit_exceeded',
    status: 429,
    details: { limit, remaining: 0, plan: 'Enterprise' },
  });
  const waiting = Array.from({ length: 20 }, () => wait(1));
  await expect.poll(() => countWaiting(identity.identityId)).toBe(20);
  await expect(wait(1)).rejects.toMatchObject(refusal(20));
  waiting.push(...Array.from({ length: 30 }, (_, nr) => wait(2 + (nr % 2))));
  await expect.poll(() => countWaiting(identity.identityId)).toBe(50);
  await expect(wait(4)).rejects.toMatchObject(refusal(50));
  client.abort();
  await Promise.all(waiting);
});
