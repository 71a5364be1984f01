import pg from 'pg';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { env } from '@/server/platform/env';
import { toAppError } from '@/server/platform/errors';
import { withFreshDatabase } from '@/server/testing/database';
import { type FreezingProxy, startFreezingProxy } from '@/server/testing/freezing-proxy';
import { closeConnection } from './connection';
import { closeLeases, withLease } from './lease';
import { migrate } from './migrate';
import { openConnection } from './own-connection';
import { closePool, openPool, pool } from './pool';
import { closePrisma, prisma } from './prisma';
import { silenceLimits, watchForSilence } from './silent-connections';
import { prismaTransaction, transaction } from './transaction';

withFreshDatabase();

const system = { kind: 'system', cause: 'upkeep' } as const;

Object.assign(silenceLimits, { patience: 1_500, answerTime: 1_500, unknown: 600_000 });

let direct: string;
let proxy: FreezingProxy;

beforeEach(async () => {
  direct = pool().options.connectionString ?? '';
  proxy = await startFreezingProxy(direct);
});

afterEach(() => proxy.close());

/** The client's error code. Without the limits, what hangs would do so until the test ends. */
function failureOf(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => 'none',
    (reason: unknown) => toAppError(reason).code,
  );
}

describe('the pool', () => {
  beforeEach(async () => {
    await closePrisma();
    await closePool();
    openPool(proxy.url);
  });

  afterEach(async () => {
    await closeLeases();
    await closePrisma();
    await closePool();
    openPool(direct);
  });

  const three = () => Promise.all([1, 2, 3].map(() => pool().query('SELECT pg_sleep(0.05)')));

  test('loses a connection that died without a word, and all others of that time with it', async () => {
    await three();
    proxy.freeze();
    expect(await failureOf(pool().query('SELECT 1'))).toBe('unavailable');
    await three();
  });

  test('gives transactions up that hang, of both kinds, and their places', async () => {
    await three();
    await prisma().user.count();
    const { max = 10 } = pool().options;
    const hanging = Array.from({ length: max + 3 }, (_, index) =>
      index % 2 === 0
        ? transaction(system, async (client) => {
            proxy.freeze();
            await client.query('SELECT 1');
          })
        : prismaTransaction(system, async (tx) => {
            proxy.freeze();
            await tx.user.count();
          }),
    );
    expect(new Set(await Promise.all(hanging.map(failureOf)))).toEqual(new Set(['unavailable']));
    await three();
    expect(await prisma().user.count()).toBe(0);
    expect(pool().load().waiting).toBe(0);
  });

  test('answers in time where new connections hang as well, and recovers', async () => {
    await three();
    proxy.freeze({ alsoNew: true });
    const failures = await Promise.all([failureOf(pool().query('SELECT 1')), failureOf(prisma().user.count())]);
    expect(failures).toEqual(['unavailable', 'unavailable']);
    expect(await failureOf(pool().query('SELECT 1'))).toBe('unavailable');
    proxy.thaw();
    await three();
  });

  test('closes in time, whatever hangs', async () => {
    await three();
    const client = await pool().connect();
    proxy.freeze({ alsoNew: true });
    const hanging = failureOf(client.query('SELECT 1'));
    await closePool();
    await hanging;
    client.release();
    openPool(direct);
  });

  test('a lease is lost with a connection that died between two statements', async () => {
    let wasLost = false;
    await withLease('held', async (lost) => {
      proxy.freeze();
      await lost;
      wasLost = true;
    });
    expect(wasLost).toBe(true);
    await expect.poll(() => withLease('held', async () => 'again').catch(() => null)).toBe('again');
  });
});

describe('a connection of its own', () => {
  const patience = 200;

  async function watched(url: string): Promise<pg.Client> {
    const client = new pg.Client({ connectionString: url });
    client.on('error', () => undefined);
    await client.connect();
    watchForSilence(client, { connectionString: url }, { patience });
    return client;
  }

  test('is left alone while the server works on its statement, or waits for a lock', async () => {
    const holder = await openConnection({ url: direct, applicationName: 'test' });
    await holder.query('SELECT pg_advisory_lock(1)');
    const [waiting, working] = [await watched(proxy.url), await watched(proxy.url)];
    const { rows } = await working.query('SELECT pg_backend_pid() AS pid');
    const opened = proxy.opened();
    const both = Promise.allSettled([waiting.query('SELECT pg_advisory_lock(1)'), working.query('SELECT pg_sleep(600)')]);
    // The server was asked about each of them more than once.
    await expect.poll(() => proxy.opened()).toBeGreaterThan(opened + 4);
    await holder.query('SELECT pg_advisory_unlock(1)');
    await holder.query('SELECT pg_cancel_backend($1)', [rows[0].pid]);
    const [locked, canceled] = await both;
    expect(locked.status).toBe('fulfilled');
    expect(canceled).toMatchObject({ reason: { message: 'canceling statement due to user request' } });
    await Promise.all([waiting, working, holder].map(closeConnection));
  });

  test('may be idle for as long as it likes', async () => {
    const client = await watched(proxy.url);
    const opened = proxy.opened();
    const other = await watched(direct);
    await other.query('SELECT pg_sleep(1.5)');
    expect(proxy.opened()).toBe(opened);
    await client.query('SELECT 1');
    await Promise.all([closeConnection(client), closeConnection(other)]);
  });

  test('is closed where its answer was lost', async () => {
    const client = await watched(proxy.url);
    proxy.freeze();
    await expect(client.query('SELECT 1')).rejects.toThrow('Connection terminated');
  });
});

describe('a migration', () => {
  test('ends where the connection dies under it', async () => {
    const client = await openConnection({ url: direct, applicationName: 'test' });
    // Prisma's migration lock: the migration tries again and again to get it.
    await client.query('SELECT pg_advisory_lock(72707369)');
    const opened = proxy.opened();
    const migrating = failureOf(migrate(proxy.url));
    await expect.poll(() => proxy.opened()).toBe(opened + 1);
    await expect.poll(async () => (await client.query(waiting)).rows[0].count).toBe(1);
    proxy.freeze({ alsoNew: true });
    expect(await migrating).toBe('unavailable');
    await closeConnection(client);
  });

  test('does not begin on a server that does not answer', async () => {
    proxy.freeze({ alsoNew: true });
    expect(await failureOf(migrate(proxy.url))).toBe('unavailable');
  });

  test('ends at once when told to, whatever it is waiting for', async () => {
    const client = await openConnection({ url: direct, applicationName: 'test' });
    await client.query('SELECT pg_advisory_lock(72707369)');
    const stop = new AbortController();
    const migrating = failureOf(migrate(direct, { signal: stop.signal }));
    await expect.poll(async () => (await client.query(waiting)).rows[0].count).toBe(1);
    stop.abort();
    await migrating;
    await closeConnection(client);
  });

  test('makes no progress while another one migrates', async () => {
    const client = await openConnection({ url: env().DATABASE_URL ?? '', applicationName: 'test' });
    await client.query('SELECT pg_advisory_lock(72707369)');
    let calls = 0;
    const migrating = migrate(env().DATABASE_URL ?? '', { onActive: () => calls++ });
    await expect.poll(async () => (await client.query(waiting)).rows[0].count).toBe(1);
    // Several attempts to take the lock, and several looks at the connection.
    await client.query('SELECT pg_sleep(1.5)');
    expect(calls).toBe(0);
    await closeConnection(client);
    expect(await migrating).toEqual([]);
  });

  const waiting = `SELECT count(*)::int FROM pg_stat_activity WHERE datname = current_database()
    AND application_name = 'frontdesk-migrate' AND query LIKE '%pg_try_advisory_lock%'`;
});
