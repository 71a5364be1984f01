/** What a request to the event log came to. */
export type Outcome =
  | { kind: 'events'; hasMore: boolean; elapsed: number }
  | { kind: 'nothing'; waited: number; elapsed: number }
  | { kind: 'failure'; elapsed: number };

/** Longest wait of a request in seconds; the server allows a little more. */
const longestWait = 50;
const shortestWait = 5;

/** Pauses in milliseconds. */
const firstPause = 250;
const longestPause = 5_000;
const firstRetry = 1_000;
const longestRetry = 30_000;

/** A request that waits and is answered sooner than this without events was cut short: the server is stopping. */
const cutShort = 1_000;

/**
 * How long requests to the event log wait, and the pauses between them. Many events in a row are fetched together, failures are
 * repeated less and less often, and where a proxy ends waiting requests, they become shorter.
 *
 * @param random a number from 0 to 1, so that tabs do not all return at the same time
 */
export function pacing(random: () => number = Math.random) {
  /** Failures since a request has waited and was answered. */
  let failures = 0;
  let isAway = false;
  let busy = 0;
  let wait = longestWait;

  const afterFailure = (): number => {
    failures++;
    isAway = true;
    busy = 0;
    const pause = Math.min(longestRetry, firstRetry * 2 ** (failures - 1));
    return pause * (0.75 + random() / 2);
  };

  return {
    /** Seconds that the next request waits. The first one after a failure only asks whether the server is back. */
    wait: () => (isAway ? 0 : wait),
    /** @returns milliseconds until the next request */
    pauseAfter(outcome: Outcome): number {
      switch (outcome.kind) {
        case 'failure':
          if (failures === 0 && outcome.elapsed > shortestWait * 1000) {
            wait = Math.max(shortestWait, Math.floor((outcome.elapsed / 1000) * 0.75));
          }
          return afterFailure();
        case 'nothing':
          // The server is back, but whether it lets requests wait is not known yet.
          isAway = false;
          if (outcome.waited === 0) return firstPause;
          if (outcome.elapsed < cutShort) return afterFailure();
          failures = 0;
          busy = 0;
          return 0;
        case 'events':
          isAway = false;
          failures = 0;
          if (outcome.hasMore) return firstPause;
          busy = outcome.elapsed > longestPause ? 0 : busy + 1;
          return Math.min(longestPause, firstPause * 2 ** Math.max(0, busy - 1));
      }
    },
  };
}
