import { describe, expect, it } from 'vitest';
import { QueueFull } from '@/server/platform/semaphore';
import { withBodySlot } from './large-bodies';

const headersOf = (entries: Record<string, string>) => new Headers(entries);
const large = headersOf({ 'content-length': String(14 * 1024 * 1024) });
const settled = () => new Promise((resolve) => setImmediate(resolve));

/** Requests that start reading, and end on demand. */
function reader() {
  let reading = 0;
  const ends: (() => void)[] = [];
  const read = () => {
    reading += 1;
    return new Promise<void>((resolve) => {
      ends.push(() => {
        reading -= 1;
        resolve();
      });
    });
  };
  return { read, ends, reading: () => reading };
}

describe('large bodies', () => {
  it('are read a few at a time, and of one sender fewer', async () => {
    const { read, ends, reading } = reader();
    const all = [...Array(5)].map(() => withBodySlot(large, 'a', read));
    await settled();
    expect(reading()).toBe(2);
    all.push(...['b', 'c', 'd'].map((owner) => withBodySlot(large, owner, read)));
    await settled();
    expect(reading()).toBe(4);
    while (ends.length > 0) {
      ends.shift()?.();
      await settled();
    }
    await Promise.all(all);
  });

  it('count as large where they do not say how large they are', async () => {
    const { read, ends, reading } = reader();
    const chunked = headersOf({ 'transfer-encoding': 'chunked' });
    const all = [...Array(3)].map(() => withBodySlot(chunked, 'a', read));
    await settled();
    expect(reading()).toBe(2);
    while (ends.length > 0) {
      ends.shift()?.();
      await settled();
    }
    await Promise.all(all);
  });

  it('never hold up small ones', async () => {
    const { read, ends, reading } = reader();
    const all = [...Array(50)].map(() => withBodySlot(headersOf({ 'content-length': '200' }), 'a', read));
    expect(reading()).toBe(50);
    for (const end of ends) end();
    await Promise.all(all);
    expect(await withBodySlot(headersOf({}), 'a', async () => 'no body')).toBe('no body');
  });

  it('are sent away where too many wait', async () => {
    const { read, ends } = reader();
    const all = [...Array(42)].map(() => withBodySlot(large, 'a', read));
    await expect(withBodySlot(large, 'a', read)).rejects.toThrow(QueueFull);
    await settled();
    while (ends.length > 0) {
      ends.shift()?.();
      await settled();
    }
    await Promise.all(all);
  });
});
