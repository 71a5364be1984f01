import { type AppError, toAppError } from './errors';
import { log } from './log';
import { oncePerProcess } from './process-globals';

/** Milliseconds in which one cause is logged once. */
const quietPeriod = 60_000;

/** When a cause was last logged (`performance.now()`), and how many failures were left out since. */
interface Noted {
  at: number;
  suppressed: number;
}

function noted(): Map<string, Noted> {
  return oncePerProcess('outages', () => new Map<string, Noted>());
}

/**
 * Logs an outage of something outside this process (database, disk, Redis): a warning, once a minute for each cause, however many requests and
 * jobs fail of it. `suppressed` in the line counts the failures left out since the last one.
 *
 * @param cause names what is out of order; lines of one cause share the limit
 */
export function logOutage(cause: string, fields: object, message: string): void {
  const now = performance.now();
  const last = noted().get(cause);
  if (last && now - last.at < quietPeriod) {
    last.suppressed++;
    return;
  }
  noted().set(cause, { at: now, suppressed: 0 });
  log().warn({ ...fields, ...(last?.suppressed ? { suppressed: last.suppressed } : {}) }, message);
}

/**
 * Logs what failed on our side: an expected outage (whatever clients see as 503) as `logOutage` does, everything else as an error.
 *
 * @param error what was thrown
 * @param seen the error that clients get for it, where the caller has it already
 */
export function logFailure(error: unknown, fields: object, message: string, seen: AppError = toAppError(error)): void {
  if (seen.code === 'unavailable') logOutage(seen.message, { err: error, ...fields }, message);
  else log().error({ err: error, ...fields }, message);
}
