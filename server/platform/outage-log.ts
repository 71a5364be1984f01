import { type AppError, toAppError } from './errors';
import { log } from './log';
import { oncePerProcess } from './process-globals';

/** Milliseconds between log lines of one cause. */
const quietPeriod = 60_000;

/** When a cause was last logged (`performance.now()`), and the failures suppressed since. */
interface Noted {
  at: number;
  suppressed: number;
}

function noted(): Map<string, Noted> {
  return oncePerProcess('outages', () => new Map<string, Noted>());
}

/**
 * Logs an outage of an external system (database, disk, Redis) as a warning, at most once a minute per cause, however many
 * requests and jobs fail. `suppressed` in the line counts the failures since the last one.
 * @param cause the failed system; lines of one cause share the limit
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
 * Logs a server-side failure: an expected outage (a 503 for clients) by `logOutage`, everything else as an error.
 * @param error the thrown value
 * @param seen the client's error for it, if already known
 */
export function logFailure(error: unknown, fields: object, message: string, seen: AppError = toAppError(error)): void {
  if (seen.code === 'unavailable') logOutage(seen.message, { err: error, ...fields }, message);
  else log().error({ err: error, ...fields }, message);
}
