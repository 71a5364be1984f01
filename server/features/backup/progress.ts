import { setTimeout as delay } from 'node:timers/promises';

/**
 * Ends a backup or restore that hangs on a disk, a share, a stream or the database: one watchdog for all of it, notified by the
 * few places that move bytes.
 */
export interface Progress {
  /** Aborted after too long without progress, or on a stop signal. */
  signal: AbortSignal;
  /** Reports progress. */
  moved(): void;
}

/** For callers with their own watchdog. */
export const unwatched: Progress = { signal: new AbortController().signal, moved: () => undefined };

/** The reason for an abort without a stop signal: no progress. */
export class Stalled extends Error {
  override name = 'Stalled';

  constructor(milliseconds: number) {
    super(`Given up: no progress for ${milliseconds / 1000} s. A disk, a share or the database does not answer any more.`);
  }
}

/**
 * Checks within one patience interval. They are counted instead of timed, because a suspended process has not waited meanwhile.
 */
const checks = 20;

/**
 * Watches over the work until `end` is called.
 *
 * @param stop aborted with `Stalled` after this long without progress
 * @param patience in milliseconds
 */
export function watchProgress(stop: AbortController, patience = 60_000): Progress & { end(): void } {
  let quiet = 0;
  const timer = setInterval(() => {
    quiet++;
    // One more, since the first check may come right after progress.
    if (quiet === checks + 1) stop.abort(new Stalled(patience));
  }, patience / checks);
  const moved = () => {
    quiet = 0;
  };
  return { signal: stop.signal, moved, end: () => clearInterval(timer) };
}

/**
 * Settles as `work` does. Once the signal is aborted, `work` has `grace` milliseconds to end; then this rejects with the
 * signal's reason, because a hanging file system call can't be cancelled.
 */
export async function settleWithin<T>(signal: AbortSignal, work: Promise<T>, grace: number): Promise<T> {
  const settled = new AbortController();
  const givenUp = new Promise<never>((_resolve, reject) => {
    const wait = () =>
      delay(grace, undefined, { signal: settled.signal }).then(
        () => reject(signal.reason),
        () => undefined,
      );
    if (signal.aborted) void wait();
    else signal.addEventListener('abort', () => void wait(), { signal: settled.signal });
  });
  return Promise.race([work, givenUp]).finally(() => settled.abort());
}
