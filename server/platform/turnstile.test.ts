import { describe, expect, it, vi } from 'vitest';
import { TooManyWait, Turnstile } from './turnstile';

/** Work that notes when it begins and ends when the test says so. */
function worker(turnstile: Turnstile) {
  const began: string[] = [];
  const ends = new Map<string, () => void>();
  const start = (name: string, turn: { owner?: string; weight?: number } = {}) =>
    turnstile.run(turn, () => {
      began.push(name);
      return new Promise<string>((resolve) => ends.set(name, () => resolve(name)));
    });
  const end = async (name: string) => {
    ends.get(name)?.();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { began, start, end };
}

describe('Turnstile', () => {
  it('lets so many in at once, in the order in which they came', async () => {
    const { began, start, end } = worker(new Turnstile({ places: 2, waiting: 9 }));
    const all = ['a', 'b', 'c', 'd'].map((name) => start(name));
    await end('');
    expect(began).toEqual(['a', 'b']);
    await end('b');
    expect(began).toEqual(['a', 'b', 'c']);
    for (const name of ['a', 'c', 'd']) await end(name);
    expect(await Promise.all(all)).toEqual(['a', 'b', 'c', 'd']);
  });

  it('serves those first who have least under way', async () => {
    const { began, start, end } = worker(new Turnstile({ places: 2, waiting: 9 }));
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

  it('leaves places free where one owner may not have them', async () => {
    const { began, start, end } = worker(new Turnstile({ places: 2, placesPerOwner: 1, waiting: 9 }));
    const all = [start('a1', { owner: 'a' }), start('a2', { owner: 'a' }), start('b1', { owner: 'b' })];
    await end('');
    expect(began).toEqual(['a1', 'b1']);
    for (const name of ['a1', 'b1', 'a2']) await end(name);
    expect(await Promise.all(all)).toEqual(['a1', 'a2', 'b1']);
  });

  it('gives what is large its turn, and holds up those behind it for that', async () => {
    const { began, start, end } = worker(new Turnstile({ places: 2, waiting: 9 }));
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

  it('sends away those for whom the line is too long, in all or of their own', async () => {
    const turnstile = new Turnstile({ places: 1, waiting: 3, waitingPerOwner: 2 });
    const { start, end } = worker(turnstile);
    const first = start('a1', { owner: 'a' });
    const waiting = [start('a2', { owner: 'a' }), start('a3', { owner: 'a' })];
    await expect(start('a4', { owner: 'a' })).rejects.toThrow(TooManyWait);
    waiting.push(start('b1', { owner: 'b' }));
    await expect(start('c1', { owner: 'c' })).rejects.toThrow(TooManyWait);
    expect(turnstile.load()).toEqual({ running: 1, waiting: 3 });
    for (const name of ['a1', 'a2', 'a3', 'b1']) await end(name);
    await Promise.all([first, ...waiting]);
    expect(turnstile.load()).toEqual({ running: 0, waiting: 0 });
  });

  it('lets nobody wait for longer than it says', async () => {
    vi.useFakeTimers();
    try {
      const turnstile = new Turnstile({ places: 1, waiting: 9, waitTime: 1_000 });
      const { start } = worker(turnstile);
      void start('a');
      const refused = expect(start('b')).rejects.toThrow('waited too long');
      await vi.advanceTimersByTimeAsync(1_001);
      await refused;
      expect(turnstile.load()).toEqual({ running: 1, waiting: 0 });
    } finally {
      vi.useRealTimers();
    }
  });

  it('gives the place of what fails to the next, and ends the line when it is closed', async () => {
    const turnstile = new Turnstile({ places: 1, waiting: 9 });
    await expect(turnstile.run({}, () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
    const { start, end } = worker(turnstile);
    const running = start('a');
    const refused = expect(start('b')).rejects.toThrow(TooManyWait);
    turnstile.clear();
    await refused;
    await end('a');
    await expect(running).resolves.toBe('a');
  });
});
