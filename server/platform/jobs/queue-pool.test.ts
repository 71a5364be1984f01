import pg from 'pg';
import { afterAll, afterEach, beforeEach, expect, inject, test, vi } from 'vitest';
import { closeLeases } from '@/server/platform/db/lease';
import { pool } from '@/server/platform/db/pool';
import { withFreshDatabase } from '@/server/testing/database';
import { addJob } from './queue';
import { startWorker } from './worker';

/** Logged failures. */
const failures = vi.hoisted(() => [] as string[]);
vi.mock('../outage-log', async (importOriginal) => ({
  ...(await importOriginal<typeof import('../outage-log')>()),
  logFailure: (_error: unknown, _fields: object, message: string) => failures.push(message),
}));

withFreshDatabase();

const unhandled: unknown[] = [];
const note = (error: unknown) => unhandled.push(error);
let others: NodeJS.UnhandledRejectionListener[] = [];

beforeEach(async () => {
  await pool().query('DELETE FROM graphile_worker._private_jobs');
  unhandled.length = 0;
  failures.length = 0;
  others = process.listeners('unhandledRejection');
  process.removeAllListeners('unhandledRejection');
  process.on('unhandledRejection', note);
});

afterEach(() => {
  process.off('unhandledRejection', note);
  for (const listener of others) process.on('unhandledRejection', listener);
});

afterAll(closeLeases);

/** Makes the database unavailable to all, and available again, through another connection. */
async function setAvailable(isAvailable: boolean): Promise<void> {
  const name = new URL(pool().options.connectionString ?? '').pathname.slice(1);
  const client = new pg.Client({ connectionString: inject('postgresUrl') });
  await client.connect();
  await client.query(`ALTER DATABASE "${name}" ALLOW_CONNECTIONS ${isAvailable}`);
  if (!isAvailable) await client.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1', [name]);
  await client.end();
}

test.each([
  ['fails', () => Promise.reject(new Error('of its own'))],
  ['is done', () => Promise.resolve()],
])(
  'a job that %s while the database is away causes no unhandled rejection',
  async (_what, outcome) => {
    let runs = 0;
    let added: () => void = () => undefined;
    const isAdded = new Promise<void>((resolve) => {
      added = resolve;
    });
    const work = async () => {
      if (++runs > 1) return;
      await isAdded;
      await setAvailable(false);
      await outcome();
    };
    const stop = await startWorker({ tasks: { work }, crontab: [] });
    await addJob(pool(), 'work', {});
    added();
    const ends = () => failures.filter((message) => message === 'the end of a job could not be noted').length + unhandled.length;
    await expect.poll(ends).toBeGreaterThan(0);
    await setAvailable(true);
    await stop();
    expect(unhandled).toEqual([]);
  },
  30_000,
);
