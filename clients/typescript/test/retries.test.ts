import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { FrontdeskConnectionError } from '../src/index.js';
import { realClock, retryDelay } from '../src/retry.js';
import { type Scripted, start, stillClock } from './local-server.js';

const running = { status: 409, body: { error: 'Conflict', message: 'm', code: 'idempotency_running' } };
const fine: Scripted = { body: { success: true } };

test('every write has a key of its own, and its retries the same one', async () => {
  const passing: Scripted[] = [408, 429, 502, 503, 504].map((status) => ({ status, body: {} }));
  for (const failure of [...passing, running, { fault: 'drop' }, { fault: 'cut' }] satisfies Scripted[]) {
    const { frontdesk, received, slept } = await start([failure, failure, fine, fine]);
    await frontdesk.customers.delete({ id: '1' });
    await frontdesk.customers.delete({ id: '1' });
    const [first, second, third, other] = received.map(({ headers }) => headers['idempotency-key']);
    expect([failure, first]).toEqual([
      failure,
      expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
    ]);
    expect([second, third]).toEqual([first, first]);
    expect(other).not.toBe(first);
    expect(slept).toEqual([250, 500]);
  }
});

test('a key that is given is used', async () => {
  const { frontdesk, received } = await start([{ status: 503 }, fine]);
  await frontdesk.usage.track({ type: 'token_usage', totalTokens: 5 }, { idempotencyKey: 'mine' });
  expect(received.map(({ headers, body }) => [headers['idempotency-key'], body])).toEqual(
    Array(2).fill(['mine', '{"type":"token_usage","totalTokens":5}']),
  );
});

for (const status of [400, 401, 403, 404, 409, 412, 413, 415, 422, 500]) {
  test(`${status} is final`, async () => {
    const { frontdesk, received } = await start(() => ({ status, body: { code: 'x' }, headers: { 'retry-after': '1' } }));
    await expect(frontdesk.customers.delete({ id: '1' })).rejects.toMatchObject({ status });
    expect(received).toHaveLength(1);
  });
}

test('three retries unless said otherwise, and then the last error', async () => {
  const { frontdesk, received, slept } = await start(() => ({ status: 503, body: { code: 'unavailable' } }));
  await expect(frontdesk.usage.stats()).rejects.toMatchObject({ status: 503, code: 'unavailable' });
  expect([received.length, slept]).toEqual([4, [250, 500, 1000]]);
  await expect(frontdesk.usage.stats({}, { maximumRetries: 1 })).rejects.toMatchObject({ status: 503 });
  expect(received).toHaveLength(6);
});

test('Retry-After is waited for, in seconds or until a date', async () => {
  const date = new Date(Date.UTC(2026, 10, 21, 12, 0, 9)).toUTCString();
  const { frontdesk, slept } = await start([
    { status: 429, headers: { 'retry-after': '3' } },
    { status: 503, headers: { 'retry-after': date } },
    { status: 503, headers: { 'retry-after': 'soon' } },
    { status: 503, headers: { 'retry-after': new Date(0).toUTCString() } },
    fine,
  ]);
  await frontdesk.usage.stats({}, { maximumRetries: 4 });
  expect(slept).toEqual([3000, 9000, 1000, 0]);
});

test('the limit of a day is not waited for', async () => {
  const { frontdesk, received, slept } = await start([
    { status: 429, headers: { 'retry-after': '43200' }, body: { code: 'rate_limit_exceeded' } },
  ]);
  await expect(frontdesk.usage.stats()).rejects.toMatchObject({ status: 429, code: 'rate_limit_exceeded' });
  expect([received.length, slept]).toEqual([1, []]);
});

test('delays grow to eight seconds, and at least half of each is waited', () => {
  const error = new FrontdeskConnectionError('m', { timedOut: false });
  fc.assert(
    fc.property(fc.nat(40), fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), (failures, chance) => {
      const delay = retryDelay(error, failures, stillClock({ random: () => chance }).clock) ?? Number.NaN;
      const backoff = Math.min(8000, 500 * 2 ** failures);
      expect(delay).toBeGreaterThanOrEqual(backoff / 2);
      expect(delay).toBeLessThanOrEqual(backoff);
    }),
  );
});

test('an attempt that takes too long is a connection error, and tried again', async () => {
  let isStuck = true;
  const { frontdesk, slept } = await start(() => (isStuck ? { fault: 'hang' } : fine), { timeoutMs: 5, maximumRetries: 1 });
  const error = await frontdesk.customers.delete({ id: '1' }).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(FrontdeskConnectionError);
  expect(error).toMatchObject({ timedOut: true, message: expect.stringContaining('5 ms') });
  expect(slept).toEqual([250]);
  isStuck = false;
  expect(await frontdesk.customers.delete({ id: '1' }, { timeoutMs: 20_000 })).toEqual({ success: true });
});

test('a signal ends a call before, while and after it is under way, with its own reason', async () => {
  const reason = new Error('enough');
  const early = await start([]);
  await expect(early.frontdesk.usage.stats({}, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  expect(early.received).toEqual([]);

  const controller = new AbortController();
  const hanging = await start(() => {
    controller.abort(reason);
    return { fault: 'hang' };
  });
  await expect(hanging.frontdesk.usage.stats({}, { signal: controller.signal })).rejects.toBe(reason);
  expect(hanging.received).toHaveLength(1);

  const waiting = new AbortController();
  const sleep = vi.fn((_: number, signal: AbortSignal | undefined) => {
    const slept = realClock.sleep(3_600_000, signal);
    waiting.abort(reason);
    return slept;
  });
  const failing = await start(() => ({ status: 503 }), {}, { sleep });
  await expect(failing.frontdesk.usage.stats({}, { signal: waiting.signal })).rejects.toBe(reason);
  expect([failing.received.length, sleep.mock.calls.length]).toEqual([1, 1]);
});

test('the real clock sleeps, unless its signal has fired', async () => {
  vi.useFakeTimers();
  const done = vi.fn();
  const sleeping = realClock.sleep(1000, new AbortController().signal).then(done);
  await vi.advanceTimersByTimeAsync(999);
  expect(done).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  await sleeping;
  vi.useRealTimers();
  await expect(realClock.sleep(3_600_000, AbortSignal.abort(new Error('over')))).rejects.toThrow('over');
});
