import { describe, expect, test, vi } from 'vitest';
import { pool } from '@/server/platform/db/pool';
import { prismaTransaction, rawStatements, transaction } from '@/server/platform/db/transaction';
import { queryAsOwner, withFreshDatabase } from '@/server/testing/database';
import { findJob, gate, jobsOfKind, secondsUntil, withJobs } from '@/server/testing/jobs';
import { within } from '@/server/testing/patience';
import { daily, everyMinutes, JobKind, onSundays, StandingJob } from './job';
import { correctTimes, keepStanding } from './job-table';

withFreshDatabase();
const start = withJobs();

const author = { kind: 'system', cause: 'upkeep' } as const;

describe('a job', () => {
  const kind = new JobKind<{ n: number }>('one');

  test('exists if its transaction commits, of either client', async () => {
    const job = (key: string) => ({ key, payload: { n: 1 } });
    await transaction(author, (client) => kind.schedule(client, job('pg')));
    await prismaTransaction(author, (tx) => kind.schedule(rawStatements(tx), job('prisma')));
    const fail = async () => Promise.reject(new Error('undone'));
    await expect(transaction(author, (client) => kind.schedule(client, job('a')).then(fail))).rejects.toThrow('undone');
    await expect(prismaTransaction(author, (tx) => kind.schedule(rawStatements(tx), job('b')).then(fail))).rejects.toThrow(
      'undone',
    );
    expect((await jobsOfKind(kind)).map(({ key }) => key)).toEqual(['pg', 'prisma']);
  });

  test('runs at once, with what it was given, and is gone', async () => {
    const done: object[] = [];
    await start(kind.handledBy(async ({ payload }) => done.push(payload)));
    const scheduledAt = performance.now();
    await kind.schedule(pool(), { key: 'a', payload: { n: 7 } });
    await expect.poll(() => done, { interval: 5 }).toEqual([{ n: 7 }]);
    expect(performance.now() - scheduledAt).toBeLessThan(within(1));
    await expect.poll(() => jobsOfKind(kind)).toEqual([]);
  });

  test('of a later time runs then, by the clock of the database', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 24 * 3_600_000 });
    const times: number[] = [];
    await start(kind.handledBy(async () => times.push(performance.now())));
    const scheduledAt = performance.now();
    await kind.schedule(pool(), { key: 'a', payload: { n: 1 }, inSeconds: 0.7 });
    await expect.poll(() => times.length).toBe(1);
    expect((times[0] ?? 0) - scheduledAt).toBeGreaterThanOrEqual(690);
    expect((times[0] ?? 0) - scheduledAt).toBeLessThan(within(3));
  });

  test('replaces one with its key that waits', async () => {
    await kind.schedule(pool(), { key: 'a', payload: { n: 1 }, inSeconds: 100, destination: 'x' });
    await kind.schedule(pool(), { key: 'a', payload: { n: 2 }, inSeconds: 50, lane: 'outbound' });
    expect(await jobsOfKind(kind)).toMatchObject([{ payload: { n: 2 }, destination: null, lane: 'outbound' }]);
    expect(await secondsUntil(kind, 'a')).toBeLessThan(51);
  });

  test('keeps a sooner time if that is asked for', async () => {
    for (const [seconds, expected] of [
      [100, 100],
      [200, 100],
      [50, 50],
    ] as const) {
      await kind.schedule(pool(), { key: 'a', payload: { n: 1 }, inSeconds: seconds, orSooner: true });
      expect(await secondsUntil(kind, 'a')).toBeCloseTo(expected, -1);
    }
  });

  test('that is scheduled again while it runs is not run at the same time, but once more', async () => {
    const [first, seen] = [gate(), [] as number[]];
    await start(
      kind.handledBy(async ({ payload }) => {
        seen.push(payload.n);
        if (seen.length === 1) await first.opened;
      }),
    );
    await kind.schedule(pool(), { key: 'a', payload: { n: 1 } });
    await expect.poll(() => seen).toEqual([1]);
    await kind.schedule(pool(), { key: 'a', payload: { n: 2 } });
    await kind.schedule(pool(), { key: 'a', payload: { n: 3 } });
    await kind.cancel(pool(), 'a');
    first.open();
    await expect.poll(() => seen).toEqual([1, 3]);
    await expect.poll(() => jobsOfKind(kind)).toEqual([]);
  });

  test('that fails is tried again later, with its error, and as new once it is scheduled again', async () => {
    let runs = 0;
    await start(kind.handledBy(async () => Promise.reject(new Error(`no ${++runs}`))));
    await kind.schedule(pool(), { key: 'a', payload: { n: 1 } });
    const row = async () => (await queryAsOwner('SELECT attempts, last_error, holder_id FROM jobs'))[0];
    await expect.poll(row).toEqual({ attempts: 1, last_error: 'no 1', holder_id: null });
    expect(await secondsUntil(kind, 'a')).toBeGreaterThan(1);
    await expect.poll(row, { timeout: within(10) }).toEqual({ attempts: 2, last_error: 'no 2', holder_id: null });
    expect(await secondsUntil(kind, 'a')).toBeGreaterThan(5);
    await kind.schedule(pool(), { key: 'a', payload: { n: 1 } });
    await expect.poll(row).toEqual({ attempts: 1, last_error: 'no 3', holder_id: null });
  });

  test('is removed by a cancellation if it waits', async () => {
    await kind.schedule(pool(), [
      { key: 'a', payload: { n: 1 } },
      { key: 'b', payload: { n: 2 } },
    ]);
    await kind.cancel(pool(), 'a');
    expect((await jobsOfKind(kind)).map(({ key }) => key)).toEqual(['b']);
  });

  test('of a kind that this version does not know is left to others', async () => {
    const other = new JobKind<object>('of-another-version');
    await other.schedule(pool(), { key: 'a', payload: {} });
    const done: number[] = [];
    await start(kind.handledBy(async ({ payload }) => done.push(payload.n)));
    await kind.schedule(pool(), { key: 'b', payload: { n: 2 } });
    await expect.poll(() => done).toEqual([2]);
    expect(await jobsOfKind(other)).toHaveLength(1);
  });
});

test('transactions that schedule the same jobs in opposite orders do not wait for each other in a circle', async () => {
  const kind = new JobKind<object>('keys');
  const keys = Array.from({ length: 50 }, (_, n) => `${n}`);
  const error = vi.fn();
  await Promise.all(
    Array.from({ length: 40 }, (_, n) =>
      transaction(author, async (client) => {
        await kind
          .schedule(
            client,
            (n % 2 ? keys : [...keys].reverse()).map((key) => ({ key, payload: {} })),
          )
          .catch(error);
      }),
    ),
  );
  expect(error).not.toHaveBeenCalled();
  expect(await jobsOfKind(kind)).toHaveLength(50);
});

describe('a standing job', () => {
  /** Seconds of 2026-11-22, a Sunday, at midnight. */
  const sunday = Date.UTC(2026, 10, 22) / 1000;

  test.each([
    ['every ten minutes', everyMinutes(10), 600],
    ['every hour at 43', everyMinutes(60, 43), 43 * 60],
    ['every day at 03:17', daily(3, 17), 3 * 3_600 + 17 * 60],
    ['on Sundays at 04:11', onSundays(4, 11), 4 * 3_600 + 11 * 60],
  ])('%s is due at that time', async (_what, every, later) => {
    await keepStanding([{ kind: 'standing', lanes: ['shared'], every }]);
    const due = ((await findJob({ kind: 'standing' }, ''))?.dueAt.getTime() ?? 0) / 1000;
    expect((due - sunday - later) % every.seconds).toBe(0);
    expect(due).toBeGreaterThan(Date.now() / 1000);
    expect(due).toBeLessThanOrEqual(Date.now() / 1000 + every.seconds);
  });

  test('that was missed is run once, and is due again at its time', async () => {
    let runs = 0;
    const standing = new StandingJob('standing', everyMinutes(60), async () => runs++);
    await keepStanding([standing]);
    await queryAsOwner(`UPDATE jobs SET due_at = now() - interval '3 days'`);
    await start(standing);
    await expect.poll(() => runs).toBe(1);
    await expect.poll(() => secondsUntil(standing)).toBeGreaterThan(0);
    expect(await secondsUntil(standing)).toBeLessThanOrEqual(3_600);
    expect(runs).toBe(1);
  });

  test('runs at once when it is woken', async () => {
    let runs = 0;
    const standing = new StandingJob('standing', daily(3, 17), async () => runs++);
    await start(standing);
    await standing.wake(pool());
    await expect.poll(() => runs).toBe(1);
    await expect.poll(() => secondsUntil(standing)).toBeGreaterThan(0);
    expect(await jobsOfKind(standing)).toHaveLength(1);
  });

  test('is brought forward where a clock was ahead, or its rhythm has changed, and added where it was removed', async () => {
    const standing = new StandingJob('standing', everyMinutes(10), async () => undefined);
    await keepStanding([standing]);
    await queryAsOwner(`UPDATE jobs SET due_at = now() + interval '1 year'`);
    await keepStanding([standing]);
    expect(await secondsUntil(standing)).toBeLessThanOrEqual(600);
    await queryAsOwner('DELETE FROM jobs');
    await keepStanding([standing]);
    expect(await jobsOfKind(standing)).toHaveLength(1);
  });
});

test('jobs that were scheduled by a clock that was ahead are due at once; others keep their time', async () => {
  const kind = new JobKind<object>('timed');
  await kind.schedule(
    pool(),
    ['ahead', 'later'].map((key) => ({ key, payload: {}, inSeconds: 3_600 })),
  );
  await queryAsOwner(
    `UPDATE jobs SET due_at = now() + interval '1 day', scheduled_at = now() + interval '1 day' WHERE key = 'ahead'`,
  );
  await correctTimes();
  expect(await secondsUntil(kind, 'ahead')).toBeLessThanOrEqual(0);
  expect(await secondsUntil(kind, 'later')).toBeGreaterThan(3_500);
});
