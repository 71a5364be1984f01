import { expect, test } from 'vitest';
import { type Outcome, pacing } from './pacing';

const failure: Outcome = { kind: 'failure', elapsed: 5 };
const quiet: Outcome = { kind: 'nothing', waited: 50, elapsed: 50_000 };
const answered: Outcome = { kind: 'nothing', waited: 0, elapsed: 5 };
const cutShort: Outcome = { kind: 'nothing', waited: 50, elapsed: 5 };
const events = (elapsed: number, hasMore = false): Outcome => ({ kind: 'events', hasMore, elapsed });

const middle = () => pacing(() => 0.5);

test('a quiet log is asked again at once, with a long wait', () => {
  const pace = middle();
  expect(pace.wait()).toBe(50);
  expect(pace.pauseAfter(quiet)).toBe(0);
  expect(pace.wait()).toBe(50);
});

test('failures are repeated less and less often, and the first request after one does not wait', () => {
  const pace = middle();
  const pauses = Array.from({ length: 7 }, () => pace.pauseAfter(failure));
  expect(pauses).toEqual([1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]);
  expect(pace.wait()).toBe(0);
  expect(pace.pauseAfter(answered)).toBe(250);
  expect(pace.wait()).toBe(50);
  expect(pace.pauseAfter(quiet)).toBe(0);
  expect(pace.pauseAfter(failure)).toBe(1000);
});

test('tabs do not return together', () => {
  expect([0, 1].map((chance) => pacing(() => chance).pauseAfter(failure))).toEqual([750, 1250]);
});

test('a stopping server that answers every waiting request at once is not asked in a storm', () => {
  const pace = middle();
  let requests = 0;
  for (let time = 0; time < 60_000; requests++) {
    time += pace.pauseAfter(pace.wait() === 0 ? answered : cutShort);
  }
  expect(requests).toBeLessThan(15);
});

test('events in quick succession are fetched together, and a pause starts from the beginning', () => {
  const pace = middle();
  expect(Array.from({ length: 6 }, () => pace.pauseAfter(events(20)))).toEqual([250, 500, 1000, 2000, 4000, 5000]);
  expect(pace.pauseAfter(events(20, true))).toBe(250);
  expect(pace.pauseAfter(events(20_000))).toBe(250);
});

test('behind a proxy that ends waiting requests, they become shorter', () => {
  const pace = middle();
  pace.pauseAfter({ kind: 'failure', elapsed: 30_000 });
  pace.pauseAfter(answered);
  expect(pace.wait()).toBe(22);
});
