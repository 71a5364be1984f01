import type { WorkerEvents } from 'graphile-worker';
import { pool } from '../db/pool';
import { rows } from '../db/sql';
import { log } from '../log';
import { oncePerProcess } from '../process-globals';
import { setLastCronRunsBack } from './queue-tables';

/**
 * Handles clock changes: by NTP, manually, or after sleep. The queue's cron waits until the time it had reached comes again (a
 * day, if the clock was a day ahead), and catches up with skipped time minute by minute, even forty years. So the workers
 * restart at the current time; `?fill=` of a cron line says how far to catch up.
 */

const minute = 60_000;
const hour = 60 * minute;

/** In milliseconds. A clock that goes back further is not waited for; one that goes ahead further is not caught up with. */
const [backwardTolerance, catchUpMaximum] = [2 * minute, hour];

/**
 * A forward jump of more than `forwardJump` milliseconds postpones removals by `pauseAfterJump`, so that a wrong clock can be corrected
 * first.
 */
const [forwardJump, pauseAfterJump] = [24 * hour, 6 * hour];

/** If the clocks of server and database differ by more, one is wrong. */
const differenceMaximum = hour;

/** When this process last detected a forward jump, by `performance.now()`. */
function lastJump(): { at: number } {
  return oncePerProcess('clock-leap', () => ({ at: Number.NEGATIVE_INFINITY }));
}

/** @param jumped called when the queue's cron detects a clock change, with the milliseconds it went ahead (negative: back) */
export function watchClock(events: WorkerEvents, jumped: (by: number) => void): void {
  const checkTimer = ({ currentTimestamp, expectedTimestamp }: { currentTimestamp: number; expectedTimestamp: number }) => {
    const by = currentTimestamp - expectedTimestamp;
    if (by > forwardJump) lastJump().at = performance.now();
    if (by < -backwardTolerance || by > catchUpMaximum) jumped(by);
  };
  events.on('cron:prematureTimer', checkTimer);
  events.on('cron:overdueTimer', checkTimer);
}

/**
 * Corrects times that the queue recorded while the clock was ahead. Its cron does not run before the last recorded run, which
 * comes from the server's clock; and jobs due immediately, by the database's clock, become due now.
 */
export async function repairQueueTimes(): Promise<void> {
  const now = Date.now();
  await setLastCronRunsBack(new Date(now), new Date(now + backwardTolerance));
  // A job scheduled for a later time does nothing if it runs too early, and reschedules itself.
  await pool().query(`SELECT count(*) FROM graphile_worker.reschedule_jobs(
    (SELECT array_agg(id) FROM graphile_worker.jobs WHERE run_at > now() AND updated_at > now() + interval '1 minute'), run_at := now())`);
}

/**
 * False if the current time is doubtful: the clock jumped ahead by days recently, or differs from the database's. Then removals
 * are skipped until the next run, since they can't be undone.
 */
export async function isTimeCertain(): Promise<boolean> {
  const [database] = await rows<{ now: Date }>(pool(), { name: 'clock', text: 'SELECT clock_timestamp() AS now', values: [] });
  const difference = Math.abs((database?.now.getTime() ?? Number.NaN) - Date.now());
  const isCertain = difference <= differenceMaximum && performance.now() - lastJump().at > pauseAfterJump;
  if (!isCertain) log().warn({ difference }, 'nothing is removed for its age: the clock was set, or is not that of the database');
  return isCertain;
}
