import type { WorkerEvents } from 'graphile-worker';
import { pool } from '../db/pool';
import { rows } from '../db/sql';
import { log } from '../log';
import { oncePerProcess } from '../process-globals';
import { setLastCronRunsBack } from './queue-tables';

/**
 * What it takes for jobs to go on sanely when a clock is set: by NTP, by hand, or because the machine slept. The queue's own cron waits
 * until the time it had reached comes again, for a day where the clock was a day ahead; and it catches up minute by minute with what was
 * skipped, were it forty years. So the workers begin anew at the present; `?fill=` of a cron line says what is caught up with.
 */

const minute = 60_000;
const hour = 60 * minute;

/** A clock that goes back further is not waited for; one that goes ahead further is not caught up with minute by minute. */
const [waitedFor, caughtUpWith] = [2 * minute, hour];

/** Going ahead by more than this, milliseconds, makes removals wait for so long: a clock that is wrong is set right meanwhile. */
const [leap, restAfterLeap] = [24 * hour, 6 * hour];

/** Clocks of server and database that differ by more cannot both be right. */
const differenceMaximum = hour;

/** When this process last saw its clock leap ahead, by `performance.now()`. */
function lastLeap(): { at: number } {
  return oncePerProcess('clock-leap', () => ({ at: Number.NEGATIVE_INFINITY }));
}

/** @param jumped is called where the queue's cron finds that the clock was set, with the milliseconds it went ahead (negative: back) */
export function watchClock(events: WorkerEvents, jumped: (by: number) => void): void {
  const look = ({ currentTimestamp, expectedTimestamp }: { currentTimestamp: number; expectedTimestamp: number }) => {
    const by = currentTimestamp - expectedTimestamp;
    if (by > leap) lastLeap().at = performance.now();
    if (by < -waitedFor || by > caughtUpWith) jumped(by);
  };
  events.on('cron:prematureTimer', look);
  events.on('cron:overdueTimer', look);
}

/**
 * Sets right what the queue noted under a clock that was ahead. Its cron does nothing at times before its last run, which it takes from the
 * server's clock; and what was to be done at once, by the database's clock, is done at once.
 */
export async function mendQueueTimes(): Promise<void> {
  const now = Date.now();
  await setLastCronRunsBack(new Date(now), new Date(now + waitedFor));
  // A job for a certain time does nothing when it comes too early, and is written for that time again.
  await pool().query(`SELECT count(*) FROM graphile_worker.reschedule_jobs(
    (SELECT array_agg(id) FROM graphile_worker.jobs WHERE run_at > now() AND updated_at > now() + interval '1 minute'), run_at := now())`);
}

/**
 * False where the present is in doubt: the clock leapt ahead by days a short while ago, or it is not the database's. What is kept for a
 * time is kept until the next run then, for nothing brings it back.
 */
export async function isTimeCertain(): Promise<boolean> {
  const [database] = await rows<{ now: Date }>(pool(), { name: 'clock', text: 'SELECT clock_timestamp() AS now', values: [] });
  const difference = Math.abs((database?.now.getTime() ?? Number.NaN) - Date.now());
  const isCertain = difference <= differenceMaximum && performance.now() - lastLeap().at > restAfterLeap;
  if (!isCertain) log().warn({ difference }, 'nothing is removed for its age: the clock was set, or is not that of the database');
  return isCertain;
}
