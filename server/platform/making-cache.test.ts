import { describe, expect, it, vi } from 'vitest';
import { MakingCache } from './making-cache';

const cacheOf = (maximumSize: number) => new MakingCache<{ text: string }>({ maximumSize, sizeOf: ({ text }) => text.length });
const making = (text: string) => vi.fn(async () => ({ text }));

describe('MakingCache', () => {
  it('makes a thing once, also for those who ask meanwhile', async () => {
    const cache = cacheOf(100);
    const make = making('a');
    const both = await Promise.all([cache.get('a', make), cache.get('a', make)]);
    expect(await cache.get('a', make)).toBe(both[0]);
    expect(both[1]).toBe(both[0]);
    expect(make).toHaveBeenCalledTimes(1);
  });

  it('gives each who waits the thing, however full it gets', async () => {
    const cache = cacheOf(16);
    const texts = Array.from({ length: 50 }, (_, index) => `text ${index} that is long`);
    const made = await Promise.all(texts.map((text) => cache.get(text, making(text))));
    expect(made.map(({ text }) => text)).toEqual(texts);
  });

  it('does not keep what is large for it', async () => {
    const cache = cacheOf(80);
    const make = making('x'.repeat(11));
    await cache.get('a', make);
    await cache.get('a', make);
    expect(make).toHaveBeenCalledTimes(2);
  });

  it('keeps a thing for as long as it is good', async () => {
    vi.useFakeTimers();
    try {
      const cache = cacheOf(100);
      const [make, never] = [making('a'), making('b')];
      await cache.get('a', make, () => 1_000);
      await vi.advanceTimersByTimeAsync(900);
      await cache.get('a', make, () => 1_000);
      expect(make).toHaveBeenCalledTimes(1);
      await vi.advanceTimersByTimeAsync(200);
      await cache.get('a', make, () => 1_000);
      expect(make).toHaveBeenCalledTimes(2);
      await cache.get('b', never, () => 0);
      await cache.get('b', never, () => 0);
      expect(never).toHaveBeenCalledTimes(2);
    } finally {
      vi.useRealTimers();
    }
  });

  it('forgets what failed', async () => {
    const cache = cacheOf(100);
    await expect(cache.get('a', () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
    expect(await cache.get('a', making('a'))).toEqual({ text: 'a' });
  });
});
