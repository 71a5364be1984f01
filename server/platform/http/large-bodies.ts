import { oncePerProcess } from '@/server/platform/process-globals';
import { Semaphore } from '@/server/platform/semaphore';

/** Bodies from this size in bytes, or of unknown size, wait for a slot before they are read. */
const largeFrom = 1024 * 1024;

/**
 * A picture in JSON takes several times its size in memory. The semaphore limits concurrent large bodies, with a fair share per
 * owner; the others wait unread in their connections at no cost.
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
 * Runs `answer`; for a large body, after waiting for a slot.
 * @param owner the sender; see `Semaphore`
 * @throws QueueFull if the queue is full, or the wait too long
 */
export function withBodySlot<T>(headers: RequestHeaders, owner: string, answer: () => Promise<T>): Promise<T> {
  return isLarge(headers) ? semaphore().run({ owner }, answer) : answer();
}
