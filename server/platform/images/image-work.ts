import sharp from 'sharp';
import { oncePerProcess } from '../process-globals';
import { Semaphore } from '../semaphore';

/**
 * sharp as this product uses it. It runs on libuv's pool (four threads, shared with files and name resolution): two images at once, with
 * one thread each, leave the other half to everybody else and bound the memory that decoded pixels take.
 */

/** Ordinary images in work at the same time; the others wait. */
const permits = 2;

/** What an image may be decoded with. All other loaders of libvips (SVG, PDF, TIFF …) stay off, whatever a file claims to be. */
const loaders = ['Jpeg', 'Png', 'Webp', 'Nsgif', 'Heif'].map((name) => `VipsForeignLoad${name}`);

/** Images that may wait, in all and of one owner: each holds its bytes meanwhile. */
const queue = { queued: 60, queuedPerOwner: 20 };

function start(): Semaphore {
  sharp.cache(false); // each image is seen once
  sharp.concurrency(1);
  sharp.block({ operation: ['VipsForeignLoad'] });
  sharp.unblock({ operation: loaders });
  return new Semaphore({ permits, ...queue });
}

interface ImageTurn {
  /** On whose behalf; see `Semaphore`. */
  owner?: string;
  /** True for an image so large that no other should be decoded beside it. */
  alone?: boolean;
}

/**
 * Runs work on an image: two at once, or a large one alone. It must not wait for other image work inside.
 *
 * @returns what `work` returns, or throws what it throws
 * @throws QueueFull where the queue is full
 */
export function imageWork<T>(work: () => Promise<T>, { owner = '', alone = false }: ImageTurn = {}): Promise<T> {
  return oncePerProcess('image-work', start).run({ owner, weight: alone ? permits : 1 }, work);
}
