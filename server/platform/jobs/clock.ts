import { pool } from '../db/pool';
import { rows } from '../db/sql';
import { log } from '../log';
import { oncePerProcess } from '../process-globals';

/**
 * Clocks that are set: by NTP, manually, or after sleep. Jobs are due by the database's clock alone. Each worker reads it every few
 * seconds, and compares it with its own monotonic one.
 */

const minute = 60_000;
const hour = 60 * minute;

/** Milliseconds by which the database's clock may go back before times set by it are corrected. */
const backwardTolerance = minute;

/** After the clock went ahead by more, removals are postponed by `pauseAfterJump` milliseconds, so that a wrong one can be corrected first. */
const [forwardJump, pauseAfterJump] = [24 * hour, 6 * hour];

/** If the clocks of server and database differ by more, one is wrong. */
const differenceMaximum = hour;

interface Clock {
  /** Milliseconds by which the database's clock is ahead of `performance.now()`, as last read. */
  ahead: number | null;
  /** When it last went ahead, by `performance.now()`. */
  jumpedAt: number;
}

function clock(): Clock {
  return oncePerProcess<Clock>('database-clock', () => ({ ahead: null, jumpedAt: Number.NEGATIVE_INFINITY }));
}

/**
 * Notes the database's time.
 * @returns whether it went back, or was not known
 */
export function noteDatabaseTime(now: Date): boolean {
  const state = clock();
  const ahead = now.getTime() - performance.now();
  const by = state.ahead === null ? Number.NEGATIVE_INFINITY : ahead - state.ahead;
  state.ahead = ahead;
  if (by > forwardJump) state.jumpedAt = performance.now();
  if (Math.abs(by) > backwardTolerance && Number.isFinite(by)) {
    log().warn({ seconds: Math.round(by / 1000) }, 'the clock of the database was set; jobs go on by the new time');
  }
  return by < -backwardTolerance;
}

/**
 * False if the current time is doubtful: the clock jumped ahead by days recently, or differs from the database's. Then removals
 * are skipped until the next run, since they can't be undone.
 */
export async function isTimeCertain(): Promise<boolean> {
  const [database] = await rows<{ now: Date }>(pool(), { name: 'clock', text: 'SELECT clock_timestamp() AS now', values: [] });
  const difference = Math.abs((database?.now.getTime() ?? Number.NaN) - Date.now());
  const isCertain = difference <= differenceMaximum && performance.now() - clock().jumpedAt > pauseAfterJump;
  if (!isCertain) log().warn({ difference }, 'nothing is removed for its age: the clock was set, or is not that of the database');
  return isCertain;
}
