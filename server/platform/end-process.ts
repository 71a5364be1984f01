import { setTimeout as delay } from 'node:timers/promises';

/** Calls that run in a libuv thread and may hang on a disk, a network share or a resolver. */
const blockingCalls = /^(FSReq|GetAddrInfoReq|GetNameInfoReq)/;

const isBlocked = () => process.getActiveResourcesInfo().some((name) => blockingCalls.test(name));

/** How long such calls may take to end, in milliseconds. */
const blockedCallTimeout = 300;

/**
 * Ends this process. Node.js waits for its threads on exit, even for a call that never returns. If there is such a call, the
 * process is killed, with the status of SIGKILL.
 * @param code the exit status
 */
export async function endProcess(code: number): Promise<never> {
  for (const deadline = performance.now() + blockedCallTimeout; isBlocked() && performance.now() < deadline; ) await delay(20);
  if (isBlocked()) process.kill(process.pid, 'SIGKILL');
  process.exit(code);
}
