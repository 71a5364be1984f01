import { oncePerProcess } from '@/server/platform/process-globals';
import { Semaphore } from '@/server/platform/semaphore';

/** Bodies from this size on, in bytes, and those that do not say theirs, wait for a place before anything of them is read. */
const largeFrom = 1024 * 1024;

/**
 * A picture in JSON passes through memory several times over, in several forms. So few are there at once, and nobody's uploads take all
 * places; the others wait in their connections, where they cost nothing.
 */
function semaphore(): Semaphore {
  const limits = { permits: 4, permitsPerOwner: 2, queued: 100, queuedPerOwner: 40, maxWait: 60_000 };
  return oncePerProcess('large-bodies', () => new Semaphore(limits));
}

interface RequestHeaders {
  get(name: string): string | null;
  has(name: string): boolean;
}

function isLarge(headers: RequestHeaders): boolean {
  const length = headers.get('content-length');
  return length === null ? headers.has('transfer-encoding') : Number(length) >= largeFrom;
}

/**
 * Reads and answers a request, where its body is large only once there is a place for it.
 *
 * @param owner who sends it; see `Semaphore`
 * @throws QueueFull where the queue is full, or the wait too long
 */
export function takeInTurn<T>(headers: RequestHeaders, owner: string, answer: () => Promise<T>): Promise<T> {
  return isLarge(headers) ? semaphore().run({ owner }, answer) : answer();
}
