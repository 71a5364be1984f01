import sharp from 'sharp';
import { oncePerProcess } from '../process-registry';

/**
 * sharp as this product uses it. It runs on libuv's pool (four threads, shared with files and name resolution): two images at once, with
 * one thread each, leave the other half to everybody else and bound the memory that decoded pixels take.
 */

/** Ordinary images in work at the same time; the others wait. */
const places = 2;

/** What an image may be decoded with. All other loaders of libvips (SVG, PDF, TIFF …) stay off, whatever a file claims to be. */
const loaders = ['Jpeg', 'Png', 'Webp', 'Nsgif', 'Heif'].map((name) => `VipsForeignLoad${name}`);

interface ImageQueue {
  free: number;
  waiting: { taking: number; begin: () => void }[];
}

function start(): ImageQueue {
  sharp.cache(false); // each image is seen once
  sharp.concurrency(1);
  sharp.block({ operation: ['VipsForeignLoad'] });
  sharp.unblock({ operation: loaders });
  return { free: places, waiting: [] };
}

/** Lets those begin whose turn it is. One that needs more than is free holds up those behind it, so that it gets its turn. */
function advance(queue: ImageQueue): void {
  for (let next = queue.waiting[0]; next && next.taking <= queue.free; next = queue.waiting[0]) {
    queue.waiting.shift();
    queue.free -= next.taking;
    next.begin();
  }
}

/**
 * Runs work on an image: two at once, or a large one `alone`, first come, first served. It must not wait for other image work inside.
 *
 * @returns what `work` returns, or throws what it throws
 */
export async function imageWork<T>(work: () => Promise<T>, { alone = false } = {}): Promise<T> {
  const queue = oncePerProcess('image-work', start);
  const taking = alone ? places : 1;
  await new Promise<void>((begin) => {
    queue.waiting.push({ taking, begin });
    advance(queue);
  });
  try {
    return await work();
  } finally {
    queue.free += taking;
    advance(queue);
  }
}
