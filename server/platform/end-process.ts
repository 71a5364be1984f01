import { setTimeout as delay } from 'node:timers/promises';

/** Calls that run in a thread of their own and may hang with a disk, a share or a resolver. */
const blocking = /^(FSReq|GetAddrInfoReq|GetNameInfoReq)/;

const isBlocked = () => process.getActiveResourcesInfo().some((name) => blocking.test(name));

/** How long such calls may take to end, in milliseconds. */
const patience = 300;

/**
 * Ends this process. Node.js waits for its threads when it exits, also for one in a call that never returns; so where there is such a call
 * the process is killed, and its status is that of SIGKILL.
 *
 * @param code the exit status
 */
export async function endProcess(code: number): Promise<never> {
  for (const deadline = performance.now() + patience; isBlocked() && performance.now() < deadline; ) await delay(20);
  if (isBlocked()) process.kill(process.pid, 'SIGKILL');
  process.exit(code);
}
