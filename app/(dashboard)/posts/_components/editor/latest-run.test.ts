import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { latestRun } from './latest-run';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A run that the test settles manually. */
function slow() {
  const asked: string[] = [];
  const answers: ((isGood: boolean) => void)[] = [];
  const done: string[] = [];
  const failed: unknown[] = [];
  const loop = latestRun<string, string>({
    pause: 250,
    retry: 5_000,
    run: (input) => {
      asked.push(input);
      return new Promise((resolve, reject) => answers.push((isGood) => (isGood ? resolve(input) : reject(new Error('no')))));
    },
    onDone: (output) => void done.push(output),
    onFailed: (error) => void failed.push(error),
  });
  return { asked, answers, done, failed, loop };
}

it('waits for a pause, and then runs for the last input only', async () => {
  const { asked, loop } = slow();
  loop.ask('a');
  await vi.advanceTimersByTimeAsync(200);
  loop.ask('ab');
  await vi.advanceTimersByTimeAsync(249);
  expect(asked).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  expect(asked).toEqual(['ab']);
});

it('runs once at a time, and goes on with what was asked for meanwhile', async () => {
  const { asked, answers, done, loop } = slow();
  loop.ask('a');
  await vi.advanceTimersByTimeAsync(250);
  loop.ask('b');
  await vi.advanceTimersByTimeAsync(1_000);
  loop.ask('c');
  await vi.advanceTimersByTimeAsync(1_000);
  expect(asked).toEqual(['a']);
  answers[0]?.(true);
  await vi.advanceTimersByTimeAsync(250);
  expect(asked).toEqual(['a', 'c']);
  answers[1]?.(true);
  await vi.advanceTimersByTimeAsync(0);
  expect(done).toEqual(['a', 'c']);
});

it('tries again after a failure, at once when told to, and never after it was stopped', async () => {
  const { asked, answers, failed, loop } = slow();
  loop.ask('a');
  await vi.advanceTimersByTimeAsync(250);
  answers[0]?.(false);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(failed).toHaveLength(1);
  expect(asked).toEqual(['a', 'a']);
  answers[1]?.(false);
  await vi.advanceTimersByTimeAsync(0);
  loop.now();
  expect(asked).toHaveLength(3);
  loop.stop();
  answers[2]?.(false);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(asked).toHaveLength(3);
});
