import sharp from 'sharp';
import { oncePerProcess } from '../process-globals';
import { Semaphore } from '../semaphore';

/**
 * sharp's configuration for this product. It runs on libuv's thread pool (four threads, shared with files and DNS): two
 * concurrent images with one thread each leave half of it free and bound the memory for decoded pixels.
 */

/** Concurrent images of ordinary size; others wait. */
const permits = 2;

/** The allowed decoders. All other loaders of libvips (SVG, PDF, TIFF …) are disabled. */
const loaders = ['Jpeg', 'Png', 'Webp', 'Nsgif', 'Heif'].map((name) => `VipsForeignLoad${name}`);

/** Maximum waiting images, in all and per owner; each holds its bytes in memory. */
const queue = { queued: 60, queuedPerOwner: 20 };

function start(): Semaphore {
  sharp.cache(false); // no cache: each image is processed once
  sharp.concurrency(1);
  sharp.block({ operation: ['VipsForeignLoad'] });
  sharp.unblock({ operation: loaders });
  return new Semaphore({ permits, ...queue });
}

interface ImageTurn {
  /** The owner of the work; see `Semaphore`. */
  owner?: string;
  /** True for an image too large to decode next to others. */
  alone?: boolean;
}

/**
 * Runs work on an image: two concurrently, or a large one alone. `work` must not wait for other image work.
 * @returns the result of `work`, or throws its error
 * @throws QueueFull if the queue is full
 */
export function imageWork<T>(work: () => Promise<T>, { owner = '', alone = false }: ImageTurn = {}): Promise<T> {
  return oncePerProcess('image-work', start).run({ owner, weight: alone ? permits : 1 }, work);
}
