import { readFileSync } from 'node:fs';

/** Milliseconds that this process has computed for `work`: unlike the time that has passed, it depends on no other program. */
export async function cpuTimeOf(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/**
 * Milliseconds that the main thread has computed so far, or waited for the processor if the system does not tell. Not those of
 * worker threads.
 */
function mainThreadTime(): number {
  try {
    // The first number: nanoseconds on the processor (proc_pid_schedstat(5)). The main thread has the id of the process.
    return Number(readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6;
  } catch {
    return performance.now();
  }
}

/** Milliseconds between two looks at the event loop, which are part of what is measured. */
const interval = 10;

/** The longest that the event loop was held at a time while `work` ran, in milliseconds of computing. */
export async function longestTurnOf(work: () => Promise<unknown>): Promise<number> {
  let [longest, last] = [0, mainThreadTime()];
  const look = () => {
    const now = mainThreadTime();
    longest = Math.max(longest, now - last);
    last = now;
  };
  const timer = setInterval(look, interval);
  await work().finally(() => clearInterval(timer));
  look();
  return longest;
}
