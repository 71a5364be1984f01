/**
 * The time limits of all tests, from one factor: several times what two idle cores need, so that no test fails on a slow or busy
 * machine. A limit says only when to give up; nothing here measures speed.
 */

const factor = Number(process.env.TEST_PATIENCE) || 8;

/** In milliseconds, how long something may take that takes this many seconds on two idle cores. */
export function within(seconds: number): number {
  return seconds * factor * 1000;
}
