import { describe, expect, test } from 'vitest';
import { pool } from '@/server/platform/db/pool';
import { withFreshDatabase } from '@/server/testing/database';
import { gate, withJobs } from '@/server/testing/jobs';
import { within } from '@/server/testing/patience';
import { JobKind } from './job';

withFreshDatabase();
const start = withJobs();

describe('lanes', () => {
  const kind = new JobKind<{ n: number }>('sent', 'outbound');

  /** Jobs that count how many run at a time, and end when they are let. */
  function counted() {
    const let1 = gate();
    const state = { now: 0, most: 0, done: 0 };
    const handler = kind.handledBy(async () => {
      state.most = Math.max(state.most, ++state.now);
      await let1.opened;
      state.now--;
      state.done++;
    });
    return { state, handler, open: let1.open };
  }

  test('run five jobs of a destination at a time, over all processes, and those of others beside them', async () => {
    const { state, handler, open } = counted();
    const others = new JobKind<object>('elsewhere', 'outbound');
    let elsewhere = 0;
    const handlers = [handler, others.handledBy(async () => elsewhere++)];
    const jobs = Array.from({ length: 300 }, (_, n) => ({ key: `${n}`, payload: { n }, destination: 'one' }));
    await kind.schedule(pool(), jobs);
    await start(...handlers);
    await start(...handlers);
    await others.schedule(
      pool(),
      Array.from({ length: 50 }, (_, n) => ({ key: `${n}`, payload: {}, destination: `${n}` })),
    );
    await expect.poll(() => elsewhere).toBe(50);
    expect([state.now, state.most]).toEqual([5, 5]);
    open();
    await expect.poll(() => state.done, { timeout: within(15) }).toBe(300);
    expect(state.most).toBe(5);
  });

  test('that are full do not hold up others', async () => {
    const slow = new JobKind<object>('slow', 'mail');
    const [ended, done] = [gate(), [] as string[]];
    const shared = new JobKind<object>('quick');
    await slow.schedule(
      pool(),
      Array.from({ length: 20 }, (_, n) => ({ key: `${n}`, payload: {} })),
    );
    let running = 0;
    await start(
      slow.handledBy(async () => {
        running++;
        await ended.opened;
      }),
      shared.handledBy(async () => done.push('quick')),
    );
    await expect.poll(() => running).toBe(5);
    await shared.schedule(pool(), { key: 'a', payload: {} });
    await expect.poll(() => done).toEqual(['quick']);
    expect(running).toBe(5);
    ended.open();
    await expect.poll(() => running).toBe(20);
  });
});

test('jobs that only wait end as soon as their process stops; others go on to their end', async () => {
  const [waiting, working] = [new JobKind<object>('waiting'), new JobKind<object>('working')];
  const [begun, ended] = [gate(), gate()];
  const done: string[] = [];
  await waiting.schedule(pool(), { key: 'a', payload: {} });
  await working.schedule(pool(), { key: 'b', payload: {} });
  let running = 0;
  const begin = () => ++running === 2 && begun.open();
  const stop = await start(
    waiting.handledBy(
      async ({ signal }) => {
        begin();
        await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
        done.push('waiting');
        ended.open();
      },
      { isWaiting: true },
    ),
    working.handledBy(async ({ signal }) => {
      begin();
      await ended.opened;
      done.push(signal.aborted ? 'aborted' : 'working');
    }),
  );
  await begun.opened;
  await stop();
  expect(done).toEqual(['waiting', 'working']);
});
