import { describe, expect, it, vi } from 'vitest';
import { LoadingCache } from './loading-cache';

const cacheOf = (maximumSize: number) => new LoadingCache<{ text: string }>({ maximumSize, sizeOf: ({ text }) => text.length });
const loader = (text: string) => vi.fn(async () => ({ text }));

describe('LoadingCache', () => {
  it('loads a value once, also for concurrent callers', async () => {
    const cache = cacheOf(100);
    const load = loader('a');
    const both = await Promise.all([cache.get('a', load), cache.get('a', load)]);
    expect(await cache.get('a', load)).toBe(both[0]);
    expect(both[1]).toBe(both[0]);
    expect(load).toHaveBeenCalledTimes(1);
  });

  it('gives each caller its value, however full the cache gets', async () => {
    const cache = cacheOf(16);
    const texts = Array.from({ length: 50 }, (_, index) => `text ${index} that is long`);
    const made = await Promise.all(texts.map((text) => cache.get(text, loader(text))));
    expect(made.map(({ text }) => text)).toEqual(texts);
  });

  it('does not keep a value that is too large', async () => {
    const cache = cacheOf(80);
    const load = loader('x'.repeat(11));
    await cache.get('a', load);
    await cache.get('a', load);
    expect(load).toHaveBeenCalledTimes(2);
  });

  it('keeps a value for its lifetime', async () => {
    vi.useFakeTimers();
    try {
      const cache = cacheOf(100);
      const [load, never] = [loader('a'), loader('b')];
      await cache.get('a', load, () => 1_000);
      await vi.advanceTimersByTimeAsync(900);
      await cache.get('a', load, () => 1_000);
      expect(load).toHaveBeenCalledTimes(1);
      await vi.advanceTimersByTimeAsync(200);
      await cache.get('a', load, () => 1_000);
      expect(load).toHaveBeenCalledTimes(2);
      await cache.get('b', never, () => 0);
      await cache.get('b', never, () => 0);
      expect(never).toHaveBeenCalledTimes(2);
    } finally {
      vi.useRealTimers();
    }
  });

  it('does not keep a failure', async () => {
    const cache = cacheOf(100);
    await expect(cache.get('a', () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
    expect(await cache.get('a', loader('a'))).toEqual({ text: 'a' });
  });
});
