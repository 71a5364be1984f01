import { describe, expect, it, vi } from 'vitest';
import { QueueFull, Semaphore } from './semaphore';

/** Work that records its start, and ends on demand. */
function worker(semaphore: Semaphore) {
  const began: string[] = [];
  const ends = new Map<string, () => void>();
  const start = (name: string, turn: { owner?: string; weight?: number } = {}) =>
    semaphore.run(turn, () => {
      began.push(name);
      return new Promise<string>((resolve) => ends.set(name, () => resolve(name)));
    });
  const end = async (name: string) => {
    ends.get(name)?.();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { began, start, end };
}

describe('Semaphore', () => {
  it('runs a limited number at once, in the order in which they came', async () => {
    const { began, start, end } = worker(new Semaphore({ permits: 2, queued: 9 }));
    const all = ['a', 'b', 'c', 'd'].map((name) => start(name));
    await end('');
    expect(began).toEqual(['a', 'b']);
    await end('b');
    expect(began).toEqual(['a', 'b', 'c']);
    for (const name of ['a', 'c', 'd']) await end(name);
    expect(await Promise.all(all)).toEqual(['a', 'b', 'c', 'd']);
  });

  it('prefers the owner with the least work running', async () => {
    const { began, start, end } = worker(new Semaphore({ permits: 2, queued: 9 }));
    const all = ['a1', 'a2', 'a3', 'a4'].map((name) => start(name, { owner: 'a' }));
    all.push(start('b1', { owner: 'b' }), start('b2', { owner: 'b' }));
    await end('');
    await end('a1');
    expect(began).toEqual(['a1', 'a2', 'b1']);
    await end('a2');
    expect(began).toEqual(['a1', 'a2', 'b1', 'a3']);
    for (const name of ['b1', 'a3', 'b2', 'a4']) await end(name);
    await Promise.all(all);
  });

  it('leaves permits free that one owner may not have', async () => {
    const { began, start, end } = worker(new Semaphore({ permits: 2, permitsPerOwner: 1, queued: 9 }));
    const all = [start('a1', { owner: 'a' }), start('a2', { owner: 'a' }), start('b1', { owner: 'b' })];
    await end('');
    expect(began).toEqual(['a1', 'b1']);
    for (const name of ['a1', 'b1', 'a2']) await end(name);
    expect(await Promise.all(all)).toEqual(['a1', 'a2', 'b1']);
  });

  it('holds up the queue for heavy work, so that it gets its turn', async () => {
    const { began, start, end } = worker(new Semaphore({ permits: 2, queued: 9 }));
    const all = [start('a'), start('large', { weight: 2 }), start('b')];
    await end('');
    expect(began).toEqual(['a']);
    await end('a');
    expect(began).toEqual(['a', 'large']);
    await end('large');
    expect(began).toEqual(['a', 'large', 'b']);
    await end('b');
    await Promise.all(all);
  });

  it('refuses work when the queue is full, in all or of one owner', async () => {
    const semaphore = new Semaphore({ permits: 1, queued: 3, queuedPerOwner: 2 });
    const { start, end } = worker(semaphore);
    const first = start('a1', { owner: 'a' });
    const waiting = [start('a2', { owner: 'a' }), start('a3', { owner: 'a' })];
    await expect(start('a4', { owner: 'a' })).rejects.toThrow(QueueFull);
    waiting.push(start('b1', { owner: 'b' }));
    await expect(start('c1', { owner: 'c' })).rejects.toThrow(QueueFull);
    expect(semaphore.load()).toEqual({ running: 1, waiting: 3 });
    for (const name of ['a1', 'a2', 'a3', 'b1']) await end(name);
    await Promise.all([first, ...waiting]);
    expect(semaphore.load()).toEqual({ running: 0, waiting: 0 });
  });

  it('refuses work that waited too long', async () => {
    vi.useFakeTimers();
    try {
      const semaphore = new Semaphore({ permits: 1, queued: 9, maxWait: 1_000 });
      const { start } = worker(semaphore);
      void start('a');
      const refused = expect(start('b')).rejects.toThrow('waited too long');
      await vi.advanceTimersByTimeAsync(1_001);
      await refused;
      expect(semaphore.load()).toEqual({ running: 1, waiting: 0 });
    } finally {
      vi.useRealTimers();
    }
  });

  it('frees the permit of failed work, and empties the queue when cleared', async () => {
    const semaphore = new Semaphore({ permits: 1, queued: 9 });
    await expect(semaphore.run({}, () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
    const { start, end } = worker(semaphore);
    const running = start('a');
    const refused = expect(start('b')).rejects.toThrow(QueueFull);
    semaphore.clear();
    await refused;
    await end('a');
    await expect(running).resolves.toBe('a');
  });
});
