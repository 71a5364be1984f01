import { expect, test, vi } from 'vitest';
import { followLog, type LogPage, type ReadLog } from './follow-log';
import type { pacing } from './pacing';

const event = (id: string) => ({ id, type: 'customer.created' }) as LogPage['events'][number];
const page = (nextCursor: string, ...ids: string[]): LogPage => ({ events: ids.map(event), nextCursor, hasMore: false });
const refusal = (code: string) => Object.assign(new Error(code), { data: { code } });

/** Follows a log whose requests are answered in turn; the last one waits until the end. */
async function follow(from: string | undefined, ...answers: (LogPage | Error)[]) {
  const asked: string[] = [];
  const told: string[] = [];
  const controller = new AbortController();
  const read: ReadLog = ({ after, wait }, signal) => {
    asked.push(`${after} ${wait}`);
    const answer = answers.shift();
    if (answer instanceof Error) return Promise.reject(answer);
    if (answer) return Promise.resolve(answer);
    setTimeout(() => controller.abort());
    return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('aborted'))));
  };
  const pace: ReturnType<typeof pacing> = { wait: () => 50, pauseAfter: () => 0 };
  await followLog({
    read,
    from,
    onPage: ({ events }) => told.push(events.map(({ id }) => id).join(',')),
    onStart: (cursor) => told.push(`start ${cursor}`),
    onConnected: (isConnected) => told.push(isConnected ? 'connected' : 'away'),
    onRefused: () => told.push('refused'),
    signal: controller.signal,
    pace,
  });
  return { asked, told };
}

test('begins at the present and goes on where each answer ended', async () => {
  const { asked, told } = await follow(undefined, page('c1'), page('c2', 'a', 'b'), page('c2'));
  expect(asked).toEqual(['now 0', 'c1 50', 'c2 50', 'c2 50']);
  expect(told).toEqual(['connected', 'start c1', 'connected', 'a,b', 'connected', '']);
});

test('after a failure it goes on from the same place, so nothing is missed', async () => {
  const { asked, told } = await follow('c1', new TypeError('Failed to fetch'), page('c2', 'a'));
  expect(asked).toEqual(['c1 50', 'c1 50', 'c2 50']);
  expect(told).toEqual(['away', 'connected', 'a']);
});

test('with a cursor that is too old it begins at the present', async () => {
  const { asked, told } = await follow('c1', refusal('invalid_cursor'), page('c9'));
  expect(asked).toEqual(['c1 50', 'now 0', 'c9 50']);
  expect(told).toEqual(['away', 'connected', 'start c9']);
});

test('after signing out it ends', async () => {
  expect(await follow('c1', refusal('signed_out'))).toEqual({ asked: ['c1 50'], told: ['away', 'refused'] });
});

test('it ends during a pause', async () => {
  vi.useFakeTimers();
  const controller = new AbortController();
  const read = vi.fn(async () => Promise.reject(new Error('away')));
  const nothing = () => undefined;
  const followed = followLog({
    read,
    from: 'c1',
    onPage: nothing,
    onStart: nothing,
    onConnected: nothing,
    onRefused: nothing,
    signal: controller.signal,
  });
  await vi.advanceTimersByTimeAsync(10);
  controller.abort();
  await followed;
  expect(read).toHaveBeenCalledTimes(1);
  vi.useRealTimers();
});
