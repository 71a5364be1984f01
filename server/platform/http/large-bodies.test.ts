import { afterEach, describe, expect, it, vi } from 'vitest';
import { QueueFull } from '@/server/platform/semaphore';
import { type MeasuredBody, withBodyPlace } from './large-bodies';

const headersOf = (entries: Record<string, string>) => new Headers(entries);
const large = headersOf({ 'content-length': String(14 * 1024 * 1024) });
const from = (account: string, address = '127.0.0.1', body: MeasuredBody | null = null) => ({ account, address, body });
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
  /** Ends what is being read, also what is read then, until all have been. */
  const finish = async (all: Promise<unknown>[]) => {
    while (ends.length > 0) {
      ends.shift()?.();
      await settled();
    }
    await Promise.all(all);
  };
  return { read, ends, reading: () => reading, finish };
}

describe('large bodies', () => {
  it('are read a few at a time, and of one sender fewer', async () => {
    const { read, reading, finish } = reader();
    const all = [...Array(5)].map(() => withBodyPlace(large, from('a'), read));
    await settled();
    expect(reading()).toBe(2);
    all.push(...['b', 'c', 'd'].map((owner) => withBodyPlace(large, from(owner), read)));
    await settled();
    expect(reading()).toBe(4);
    await finish(all);
  });

  it('count as large where they do not say how large they are', async () => {
    const { read, reading, finish } = reader();
    const chunked = headersOf({ 'transfer-encoding': 'chunked' });
    const all = [...Array(3)].map(() => withBodyPlace(chunked, from('a'), read));
    await settled();
    expect(reading()).toBe(2);
    await finish(all);
  });

  it('never hold up small ones', async () => {
    const { read, ends, reading } = reader();
    const all = [...Array(50)].map(() => withBodyPlace(headersOf({ 'content-length': '200' }), from('a'), read));
    expect(reading()).toBe(50);
    for (const end of ends) end();
    await Promise.all(all);
    expect(await withBodyPlace(headersOf({}), from('a'), async () => 'no body')).toBe('no body');
  });

  it('are sent away where too many wait', async () => {
    const { read, finish } = reader();
    const all = [...Array(42)].map(() => withBodyPlace(large, from('a'), read));
    await expect(withBodyPlace(large, from('a'), read)).rejects.toThrow(QueueFull);
    await settled();
    await finish(all);
  });

  it('are read two at a time of one network, however many accounts send them', async () => {
    const { read, reading, finish } = reader();
    const all = ['a', 'b', 'c', 'd'].map((account) => withBodyPlace(large, from(account, '8.8.4.4'), read));
    await settled();
    expect(reading()).toBe(2);
    all.push(withBodyPlace(large, from('e', '8.8.4.5'), read));
    await settled();
    expect(reading()).toBe(3);
    await finish(all);
  });
});

describe('a slow body', () => {
  afterEach(() => vi.useRealTimers());

  /** A body of this many bytes a second, that is read until it is ended. */
  function slowBody(account: string, bytesPerSecond: number, address = '127.0.0.1') {
    const began = performance.now();
    let end: (error: unknown) => void = () => undefined;
    const body: MeasuredBody = {
      get received() {
        return ((performance.now() - began) / 1000) * bytesPerSecond;
      },
      isComplete: false,
      end: () => end({ code: 'request_timeout' }),
    };
    const read = () =>
      new Promise<never>((_resolve, reject) => {
        end = reject;
      });
    const result = withBodyPlace(large, from(account, address, body), read).catch(
      (error: { code?: string }) => error.code ?? 'failed',
    );
    return { result, stop: () => end({ code: 'stopped' }) };
  }

  it('is ended while others wait, the slowest first; fast ones are not', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'setTimeout', 'clearTimeout', 'performance'] });
    const slowest = slowBody('a', 1_500);
    const [slow, fast, faster] = [slowBody('a', 20_000), slowBody('b', 300_000), slowBody('b', 1_000_000)];
    await vi.advanceTimersByTimeAsync(50_000);
    // Nobody waits, so all may be slow.
    const { read, ends, reading } = reader();
    const waiting = ['c', 'd', 'e'].map((account) => withBodyPlace(large, from(account), read));
    await vi.advanceTimersByTimeAsync(5_000);
    expect([await slowest.result, reading()]).toEqual(['request_timeout', 1]);
    await vi.advanceTimersByTimeAsync(5_000);
    expect([await slow.result, reading()]).toEqual(['request_timeout', 2]);
    await vi.advanceTimersByTimeAsync(20_000);
    expect(reading()).toBe(2);
    for (const body of [fast, faster]) {
      body.stop();
      expect(await body.result).toBe('stopped');
    }
    await vi.advanceTimersByTimeAsync(1);
    expect(reading()).toBe(3);
    for (const end of ends) end();
    await Promise.all(waiting);
  });

  it('is ended only where those who wait could have its place', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'setTimeout', 'clearTimeout', 'performance'] });
    const slow = slowBody('b', 20_000);
    const fast = [slowBody('a', 300_000), slowBody('a', 300_000)];
    // Waits for the account's own places, though one of all is free.
    const waiting = slowBody('a', 300_000);
    await vi.advanceTimersByTimeAsync(30_000);
    slow.stop();
    expect(await slow.result).toBe('stopped');
    for (const body of fast) body.stop();
    await vi.advanceTimersByTimeAsync(1);
    waiting.stop();
    expect(await waiting.result).toBe('stopped');
  });

  it('is ended where others of its network wait', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'setTimeout', 'clearTimeout', 'performance'] });
    const slow = [slowBody('a', 2_000, '8.8.4.4'), slowBody('a', 2_000, '8.8.4.4')];
    const { read, reading, ends } = reader();
    const waiting = withBodyPlace(large, from('b', '8.8.4.4'), read);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(reading()).toBe(1);
    ends.shift()?.();
    await waiting;
    for (const body of slow) body.stop();
    expect((await Promise.all(slow.map(({ result }) => result))).sort()).toEqual(['request_timeout', 'stopped']);
  });
});
