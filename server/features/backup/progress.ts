import { setTimeout as delay } from 'node:timers/promises';

/**
 * A backup or restore that hangs on a disk, a share, a stream or the database ends: one watch over all of it, told by the few places where
 * bytes move.
 */
export interface Progress {
  /** Aborted when nothing moved for too long, or on a signal to stop. */
  signal: AbortSignal;
  /** Says that the work goes on. */
  moved(): void;
}

/** For callers that watch over their work themselves. */
export const unwatched: Progress = { signal: new AbortController().signal, moved: () => undefined };

/** Why work was given up that no one has stopped. */
export class Stalled extends Error {
  override name = 'Stalled';

  constructor(milliseconds: number) {
    super(`Given up: no progress for ${milliseconds / 1000} s. A disk, a share or the database does not answer any more.`);
  }
}

/** Looks in one span of patience. They are counted, not timed: a process that was suspended has not waited in the meantime. */
const looks = 20;

/**
 * Watches over work until `end` is called.
 *
 * @param stop is aborted with `Stalled` where nothing moved for so long
 * @param patience in milliseconds
 */
export function watchProgress(stop: AbortController, patience = 60_000): Progress & { end(): void } {
  let quiet = 0;
  const timer = setInterval(() => {
    quiet++;
    // The first of them may come right after a movement.
    if (quiet === looks + 1) stop.abort(new Stalled(patience));
  }, patience / looks);
  const moved = () => {
    quiet = 0;
  };
  return { signal: stop.signal, moved, end: () => clearInterval(timer) };
}

/**
 * Settles as `work` does. Once the signal is aborted, that has so many milliseconds to end by itself; then this fails with the signal's
 * reason, since a call of the file system that hangs can't be told to stop.
 */
export async function endedBy<T>(signal: AbortSignal, work: Promise<T>, grace: number): Promise<T> {
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
