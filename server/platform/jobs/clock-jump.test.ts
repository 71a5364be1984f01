import { EventEmitter } from 'node:events';
import type { WorkerEvents } from 'graphile-worker';
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { closeLeases } from '@/server/platform/db/lease';
import { pool } from '@/server/platform/db/pool';
import { takeFromProcess } from '@/server/platform/process-globals';
import { withFreshDatabase } from '@/server/testing/database';
import { isTimeCertain, repairQueueTimes, watchClock } from './clock-jump';
import { addJob } from './queue';
import { startWorker } from './worker';

/** The event emitters of all started runners. */
const runners = vi.hoisted(() => [] as EventEmitter[]);
vi.mock('./clock-jump', async (importOriginal) => {
  const original = await importOriginal<typeof import('./clock-jump')>();
  const remember: typeof original.watchClock = (events, jumped) => {
    runners.push(events as EventEmitter);
    original.watchClock(events, jumped);
  };
  return { ...original, watchClock: remember };
});

withFreshDatabase();

beforeEach(async () => {
  runners.length = 0;
  takeFromProcess('clock-leap');
  await pool().query('DELETE FROM graphile_worker._private_jobs');
  await pool().query('DELETE FROM graphile_worker._private_known_crontabs');
});

afterEach(() => {
  vi.useRealTimers();
});

afterAll(closeLeases);

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** Real timers continue; the time of day is fixed until set. */
function setClock(now: number): void {
  vi.useFakeTimers({ toFake: ['Date'], now });
}

const nextMinute = () => Math.ceil(Date.now() / minute) * minute;

/** Sets the clock while cron waits for the next minute. */
async function whenCronWaits(runner: EventEmitter | undefined, now: number): Promise<void> {
  await new Promise<void>((resolve) => runner?.once('cron:started', () => setImmediate(resolve)));
  setClock(now);
}

/** Waits for the start of the `index`-th runner; checks in each turn, so that none of its events is missed. */
async function begun(index: number): Promise<EventEmitter | undefined> {
  while (runners.length <= index) await new Promise((resolve) => setImmediate(resolve));
  return runners[index];
}

async function lastTick(): Promise<Date | null> {
  const { rows } = await pool().query<{ last: Date | null }>(
    `SELECT last_execution AS last FROM graphile_worker._private_known_crontabs WHERE identifier = 'tick'`,
  );
  return rows[0]?.last ?? null;
}

async function timesOfJobs(): Promise<Record<string, number>> {
  const { rows } = await pool().query<{ name: string; seconds: number }>(
    'SELECT task_identifier AS name, extract(epoch FROM run_at - now())::float8 AS seconds FROM graphile_worker.jobs',
  );
  return Object.fromEntries(rows.map(({ name, seconds }) => [name, seconds]));
}

describe('cron', () => {
  test.each([
    ['back by a day', -day],
    ['back by a month, which is more than a timer can wait', -30 * day],
    ['ahead by a year, which is not caught up with minute by minute', 365 * day],
  ])('goes on when the clock is set %s', async (_what, by) => {
    const start = nextMinute();
    const tick = async () => undefined;
    setClock(start - 50);
    await pool().query(
      `INSERT INTO graphile_worker._private_known_crontabs (identifier, known_since, last_execution) VALUES ('tick', $1, $1)`,
      [new Date(start - minute)],
    );
    const starting = startWorker({ tasks: { tick }, crontab: ['* * * * * tick'] });
    await whenCronWaits(await begun(0), start - 50 + by);
    const stop = await starting;
    await whenCronWaits(await begun(1), start + by + 100);
    await expect.poll(lastTick).toEqual(new Date(start + by));
    await stop();
    expect(runners).toHaveLength(2);
  });

  test('runs that it noted under a clock that was ahead do not hold it up', async () => {
    const known = async () => {
      const { rows } = await pool().query<{ identifier: string; last: Date }>(
        'SELECT identifier, last_execution AS last FROM graphile_worker._private_known_crontabs ORDER BY identifier',
      );
      return rows;
    };
    const earlier = new Date(Date.now() - hour);
    await pool().query(
      `INSERT INTO graphile_worker._private_known_crontabs (identifier, known_since, last_execution)
        VALUES ('ahead', now(), $1), ('on-time', now(), $2)`,
      [new Date(Date.now() + day), earlier],
    );
    await repairQueueTimes();
    const [ahead, onTime] = await known();
    expect(ahead?.last.getTime()).toBeLessThanOrEqual(Date.now());
    expect(onTime?.last).toEqual(earlier);
  });
});

test('a job added under a clock that was ahead runs at once; one for a later time waits', async () => {
  await addJob(pool(), 'added-ahead', {});
  await addJob(pool(), 'for-later', {}, { runAt: new Date(Date.now() + hour) });
  await pool().query(`UPDATE graphile_worker._private_jobs SET run_at = now() + interval '1 day', updated_at = now() + interval '1 day'
    WHERE task_id = (SELECT id FROM graphile_worker._private_tasks WHERE identifier = 'added-ahead')`);
  await repairQueueTimes();
  const times = await timesOfJobs();
  expect(times['added-ahead']).toBeLessThanOrEqual(0);
  expect(times['for-later']).toBeGreaterThan(3_500);
});

describe('the present', () => {
  /** The queue's events for a clock that went ahead. */
  function ahead(by: number): number[] {
    const events: WorkerEvents = new EventEmitter();
    const jumps: number[] = [];
    watchClock(events, (jump) => jumps.push(jump));
    (events as EventEmitter).emit('cron:overdueTimer', { currentTimestamp: Date.now(), expectedTimestamp: Date.now() - by });
    return jumps;
  }

  test('is certain with a clock that goes as it should, or lags a little', async () => {
    expect(ahead(10 * minute)).toEqual([]);
    expect(await isTimeCertain()).toBe(true);
    expect(ahead(2 * hour)).toHaveLength(1);
    expect(await isTimeCertain()).toBe(true);
  });

  test('is in doubt for some hours after a leap of days', async () => {
    const now = performance.now();
    ahead(3 * day);
    expect(await isTimeCertain()).toBe(false);
    vi.spyOn(performance, 'now').mockReturnValue(now + 7 * hour);
    expect(await isTimeCertain()).toBe(true);
  });

  test.each([-1, 1])('is in doubt where server and database differ by hours (%i)', async (sign) => {
    setClock(Date.now() + sign * 30 * minute);
    expect(await isTimeCertain()).toBe(true);
    setClock(Date.now() + sign * 3 * hour);
    expect(await isTimeCertain()).toBe(false);
  });
});
