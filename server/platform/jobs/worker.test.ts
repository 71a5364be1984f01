import { spawn } from 'node:child_process';
import { once } from 'node:events';
import pg from 'pg';
import { describe, expect, inject, test, vi } from 'vitest';
import { pool } from '@/server/platform/db/pool';
import { env } from '@/server/platform/env';
import { hasEnded, kill, tied } from '@/server/testing/child-process';
import { queryAsOwner, withFreshDatabase } from '@/server/testing/database';
import { gate, jobsOfKind, secondsUntil, withJobs } from '@/server/testing/jobs';
import { within } from '@/server/testing/patience';
import { JobKind } from './job';
import { addWorker, claimJobs, recordEnds, removeWorkers } from './job-table';
import { DeadWorkers, workerLimits } from './worker';

withFreshDatabase();
const start = withJobs();

describe('a worker', () => {
  const kind = new JobKind<object>('held');
  const claim = (holderId: string) => claimJobs({ lane: 'shared', holderId, limit: 10, kinds: ['held'], atWork: null });
  const [paused, second] = ['00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000002'];

  test('that stands still for three beats of another is dead; one that beats, or could not be seen, is not', () => {
    const workers = new DeadWorkers();
    const see = (...beats: [string, number][]) => workers.find(beats.map(([id, beat]) => ({ id, beat: `${beat}` })));
    expect(see(['a', 1], ['b', 1])).toEqual([]);
    expect(see(['a', 1], ['b', 2])).toEqual([]);
    expect(see(['a', 1], ['b', 2])).toEqual([]);
    expect(see(['a', 1], ['b', 2])).toEqual(['a']);
    expect(see(['b', 3])).toEqual([]);
    expect(see(['b', 3])).toEqual([]);
  });

  test('that was paused for too long can’t end what another has begun', async () => {
    await kind.schedule(pool(), { key: 'a', payload: {} });
    for (const id of [paused, second]) await addWorker(id);
    const [stale] = (await claim(paused)).jobs;
    await removeWorkers([paused]);
    const [current] = (await claim(second)).jobs;
    expect(current?.id).toBe(stale?.id);
    expect(current?.fence).toBeGreaterThan(stale?.fence ?? 0);
    const ended = (job: typeof stale) => ({ id: job?.id ?? '', fence: job?.fence ?? 0, every: undefined, failure: null });
    await recordEnds([ended(stale)]);
    await recordEnds([{ ...ended(stale), failure: { error: 'late', retryIn: 1 } }]);
    expect(await queryAsOwner('SELECT holder_id, last_error FROM jobs')).toEqual([{ holder_id: second, last_error: null }]);
    await recordEnds([ended(current)]);
    expect(await jobsOfKind(kind)).toEqual([]);
  });

  test('that was paused for too long does not remove what has been scheduled again since', async () => {
    await kind.schedule(pool(), { key: 'a', payload: {} });
    await addWorker(paused);
    const [stale] = (await claim(paused)).jobs;
    await removeWorkers([paused]);
    await kind.schedule(pool(), { key: 'a', payload: { again: true } });
    await recordEnds([{ id: stale?.id ?? '', fence: stale?.fence ?? 0, every: undefined, failure: null }]);
    expect(await jobsOfKind(kind)).toMatchObject([{ payload: { again: true } }]);
  });

  test('beats also while requests hold all connections', async () => {
    workerLimits.beat = 20;
    await start(kind.handledBy(async () => undefined));
    const isListening = () =>
      queryAsOwner(`SELECT FROM pg_stat_activity WHERE application_name = 'frontdesk-listen' AND datname = current_database()
        AND query LIKE '%job_workers%'`);
    await expect.poll(isListening).toHaveLength(1);
    const all = await Promise.all(Array.from({ length: pool().options.max }, () => pool().connect()));
    try {
      const beats = async () => Number((await queryAsOwner<{ beat: string }>('SELECT beat FROM job_workers'))[0]?.beat);
      const before = await beats();
      // More than the rhythm of what needs a connection of the pool.
      await expect.poll(beats).toBeGreaterThan(before + 30);
    } finally {
      for (const client of all) client.release();
    }
  });

  test('whose claim was carried out without an answer runs those jobs after the next claim, and no other twice', async () => {
    const [finish, seen] = [gate(), [] as string[]];
    await start(
      kind.handledBy(async ({ payload }) => {
        const { name } = payload as { name: string };
        seen.push(name);
        if (name === 'runs') await finish.opened;
      }),
    );
    await kind.schedule(pool(), { key: 'runs', payload: { name: 'runs' } });
    await expect.poll(() => seen).toEqual(['runs']);
    const held = `INSERT INTO jobs (kind, lane, key, payload, due_at, holder_id, fence)
      SELECT 'held', 'shared', 'lost', '{"name": "lost"}', now(), id, 1 FROM job_workers`;
    await queryAsOwner(held);
    const connect = vi.spyOn(pool(), 'connect').mockRejectedValue(new Error('connection lost'));
    await queryAsOwner(`SELECT pg_notify('frontdesk_jobs', 'shared')`);
    await expect.poll(() => connect.mock.calls.length).toBeGreaterThan(0);
    connect.mockRestore();
    await expect.poll(() => seen).toEqual(['runs', 'lost']);
    finish.open();
    await expect.poll(() => jobsOfKind(kind)).toEqual([]);
    expect(seen).toEqual(['runs', 'lost']);
  });

  test('that is gone can’t claim anything more', async () => {
    await kind.schedule(pool(), { key: 'a', payload: {} });
    await expect(claim(paused)).rejects.toMatchObject({ code: '23503' });
    expect(await queryAsOwner('SELECT holder_id FROM jobs')).toEqual([{ holder_id: null }]);
  });

  test('that died leaves its jobs due at once, also those that were scheduled again for later', async () => {
    await kind.schedule(pool(), { key: 'a', payload: {} });
    await addWorker(paused);
    await claim(paused);
    await kind.schedule(pool(), { key: 'a', payload: {}, inSeconds: 1_000 });
    await removeWorkers([paused]);
    expect(await secondsUntil(kind, 'a')).toBeLessThanOrEqual(0);
  });

  test('that is taken for dead although it lives aborts its jobs, and goes on under another name', async () => {
    workerLimits.beat = 50;
    const aborted: boolean[] = [];
    await start(
      kind.handledBy(async ({ signal }) => {
        aborted.push(signal.aborted);
        if (aborted.length === 1) await once(signal, 'abort').then(() => Promise.reject(new Error('aborted')));
      }),
    );
    await kind.schedule(pool(), { key: 'a', payload: {} });
    await expect.poll(() => aborted).toEqual([false]);
    const [worker] = await queryAsOwner<{ id: string }>('SELECT id FROM job_workers');
    await removeWorkers([worker?.id ?? '']);
    await expect.poll(() => aborted).toEqual([false, false]);
    await expect.poll(() => jobsOfKind(kind)).toEqual([]);
  });

  test('that stops lets its jobs end, and hands back one that ignores its signal', async () => {
    Object.assign(workerLimits, { grace: 200, stop: 400 });
    const [ends, never] = [gate(), gate()];
    const done: string[] = [];
    const stop = await start(
      kind.handledBy(async ({ payload }) => {
        const { name } = payload as { name: string };
        await (name === 'ends' ? ends.opened : never.opened);
        done.push(name);
      }),
    );
    await kind.schedule(
      pool(),
      ['ends', 'ignores'].map((name) => ({ key: name, payload: { name } })),
    );
    await expect.poll(async () => (await queryAsOwner('SELECT 1 FROM jobs WHERE holder_id IS NOT NULL')).length).toBe(2);
    const stopping = stop();
    ends.open();
    await stopping;
    expect(done).toEqual(['ends']);
    expect(await queryAsOwner('SELECT key, holder_id, due_at <= now() AS "isDue" FROM jobs')).toEqual([
      { key: 'ignores', holder_id: null, isDue: true },
    ]);
    expect(await queryAsOwner('SELECT 1 FROM job_workers')).toEqual([]);
    never.open();
  });
});

describe('while the database is away', () => {
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
    ['is done', true],
    ['fails', false],
  ])('a job that %s has that recorded once the database is back, and is not run again before', async (_what, succeeds) => {
    const kind = new JobKind<object>('outage');
    let runs = 0;
    const isAway = gate();
    await start(
      kind.handledBy(async () => {
        runs++;
        await setAvailable(false);
        isAway.open();
        if (!succeeds) throw new Error('of its own');
      }),
    );
    await kind.schedule(pool(), { key: 'a', payload: {} });
    await isAway.opened;
    await setAvailable(true);
    const left = succeeds ? [] : [{ last_error: 'of its own', attempts: 1 }];
    const found = () => queryAsOwner('SELECT last_error, attempts FROM jobs WHERE holder_id IS NULL OR key = $1', ['a']);
    await expect.poll(found, { timeout: within(10) }).toEqual(left);
    expect(runs).toBe(1);
  });
});

test(
  'twenty times kill -9 among three processes: every job has its effect, and none twice',
  async () => {
    const kind = new JobKind<{ key: string }>('effect');
    const [count, beat] = [6_000, 200];
    await queryAsOwner('CREATE TABLE effects (key text PRIMARY KEY); CREATE TABLE runs (key text)');
    const url = env().DATABASE_URL ?? '';
    const startProcess = async () => {
      const args = ['--import', 'tsx', 'server/testing/job-process.ts', url, `${beat}`];
      const child = spawn(...tied(process.execPath, args), { stdio: ['ignore', 'pipe', 'inherit'] });
      await once(child.stdout, 'data');
      return child;
    };
    let children = await Promise.all([startProcess(), startProcess(), startProcess()]);
    for (let round = 0; round < 20; round++) {
      const keys = Array.from({ length: count / 20 }, (_, n) => `${round}-${n}`);
      await kind.schedule(
        pool(),
        keys.map((key) => ({ key, payload: { key } })),
      );
      const [oldest, ...others] = children;
      if (oldest) await kill(oldest);
      children = [...others, await startProcess()];
    }
    const left = async () => (await jobsOfKind(kind)).length;
    await expect.poll(left, { timeout: within(30), interval: 200 }).toBe(0);
    for (const child of children.filter((process) => !hasEnded(process))) await kill(child);
    const [effects] = await queryAsOwner<{ count: number }>('SELECT count(*)::int AS count FROM effects');
    const [runs] = await queryAsOwner<{ count: number }>('SELECT count(*)::int AS count FROM runs');
    expect(effects?.count).toBe(count);
    process.stdout.write(`${(runs?.count ?? 0) - count} of ${count} jobs were begun twice\n`);
    await queryAsOwner('DROP TABLE effects; DROP TABLE runs');
  },
  within(120),
);
