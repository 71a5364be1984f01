import { describe, expect, test, vi } from 'vitest';
import { toAppError } from '@/server/platform/errors';
import { onBehalfOf } from '@/server/platform/on-behalf-of';
import { withFreshDatabase } from '@/server/testing/database';
import { startFreezingProxy } from '@/server/testing/freezing-proxy';
import { createTestIdentity } from '@/server/testing/identity';
import { makePool, pool } from './pool';
import { rows } from './sql';

withFreshDatabase();

const ownPid = 'pg_backend_pid() AS pid';

async function read(select: string, values: unknown[] = []): Promise<Record<string, unknown>> {
  const [row = {}] = await rows(pool(), { isByKey: true, text: `SELECT ${select}`, values });
  return row;
}

const many = <T>(count: number, work: (n: number) => Promise<T>) => Promise.all(Array.from({ length: count }, (_, n) => work(n)));

const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'none',
    (error: unknown) => toAppError(error).code,
  );

const isGivenBack = () => vi.waitFor(() => expect(pool().load()).toEqual({ running: 0, waiting: 0 }));

test('reads share a connection, and each gets its own answer', async () => {
  const found = await many(32, (n) => read(`$1::int AS n, ${ownPid}`, [n]));
  expect(found.map(({ n }) => n)).toEqual(found.map((_, n) => n));
  expect(new Set(found.map(({ pid }) => pid)).size).toBe(1);
  await isGivenBack();
});

test('what is more than 32 at a time takes other connections', async () => {
  const found = await many(40, () => read(ownPid));
  const pids = found.map(({ pid }) => pid);
  const shared = pids.filter((pid) => pid === pids[0]).length;
  expect(shared).toBeGreaterThanOrEqual(32);
  expect(shared).toBeLessThan(40);
});

test('one that fails does so alone', async () => {
  const outcomes = await Promise.allSettled([read('1 AS n'), read('1 / $1::int', [0]), read('3 AS n')]);
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
});

test('one that is slow does not hold up those that come later', async () => {
  const other = await pool().connect();
  try {
    await other.query('SELECT pg_advisory_lock(37)');
    const slow = read('pg_advisory_xact_lock(37)');
    const startedAt = performance.now();
    while (performance.now() - startedAt < 30) await other.query('SELECT 1');
    expect(await read('2 AS n')).toEqual({ n: 2 });
    await other.query('SELECT pg_advisory_unlock(37)');
    await slow;
  } finally {
    other.release();
  }
});

describe('a lost connection', () => {
  test('fails the reads on it, and no later one', async () => {
    const die = 'pg_terminate_backend(pg_backend_pid())';
    expect(await many(3, () => codeOf(read(die)))).toEqual(['unavailable', 'unavailable', 'unavailable']);
    expect(await read('1 AS n')).toEqual({ n: 1 });
    await isGivenBack();
  });

  test('the same while reads never pause', async () => {
    let isOver = false;
    const client = async () => {
      const codes: string[] = [];
      while (!isOver) codes.push(await codeOf(read('1 AS n')));
      return codes;
    };
    const clients = [client(), client(), client()];
    try {
      await codeOf(read('pg_terminate_backend(pg_backend_pid())'));
      expect(await many(50, () => codeOf(read('1 AS n')))).toEqual(Array.from({ length: 50 }, () => 'none'));
    } finally {
      isOver = true;
    }
    for (const codes of await Promise.all(clients)) expect(codes.at(-1)).toBe('none');
  });

  test('a server that can’t be reached fails each read for itself', async () => {
    const proxy = await startFreezingProxy(pool().options.connectionString ?? '');
    const own = makePool(proxy.url, { max: 3, applicationName: 'test' });
    const readThere = () => codeOf(rows(own.pool, { isByKey: true, text: 'SELECT 1', values: [] }));
    try {
      expect(await many(3, readThere)).toEqual(['none', 'none', 'none']);
      await proxy.close();
      for (let n = 0; n < 3; n++) expect(await many(2, readThere)).toEqual(['unavailable', 'unavailable']);
    } finally {
      await own.close();
    }
  });
});

test('a session’s reads are limited to its identity’s rows, as always', async () => {
  const { actor, identityId } = await createTestIdentity();
  const limit = `current_setting('frontdesk.identity', true) AS id`;
  expect(await onBehalfOf(actor, () => read(limit))).toEqual({ id: identityId });
  expect((await read(limit)).id).not.toBe(identityId);
});

test('reads go on for an identity that has all the connections it may have', async () => {
  const { apiKeyActor } = await createTestIdentity();
  const half = Math.floor((pool().options.max ?? 0) / 2);
  await onBehalfOf(apiKeyActor, async () => {
    const held = await many(half, () => pool().connect());
    try {
      expect(await read('1 AS n')).toEqual({ n: 1 });
    } finally {
      for (const client of held) client.release();
    }
  });
});
