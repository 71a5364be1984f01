import { expect, test } from 'vitest';
import { dailyState, decidingMetric, isUnused, toShareRows } from './shares';

const share = (name: string, tokens: number, executions = 0) => ({ name, agentId: null, tokens, executions });

test('rows are shares of the whole, the rest included', () => {
  const rows = toShareRows({ shares: [share('sonnet', 60), share('', 30)], rest: { tokens: 10, executions: 5 } });
  expect(rows.map(({ name, kind, share }) => [name, kind, share])).toEqual([
    ['sonnet', 'given', 60],
    ['Not given', 'missing', 30],
    ['Other', 'rest', 10],
  ]);
});

test('something named like a word of ours keeps a row of its own', () => {
  const rows = toShareRows({
    shares: [share('Other', 3), share('Not given', 2), share('', 1)],
    rest: { tokens: 1, executions: 0 },
  });
  expect(new Set(rows.map(({ key }) => key)).size).toBe(4);
});

test('executions decide where no tokens were reported', () => {
  const breakdown = { shares: [share('a', 0, 3), share('b', 0, 1)], rest: null };
  expect(decidingMetric(breakdown)).toBe('executions');
  expect(toShareRows(breakdown).map(({ share }) => share)).toEqual([75, 25]);
  expect(toShareRows({ shares: [], rest: null })).toEqual([]);
});

test('usage of an earlier month that is still in the chart counts as usage', () => {
  const meter = { current: 0, limit: 100, percentage: 0, formatted: '0 / 100' };
  const stats = { tokenUsage: meter, executions: meter, plan: 'Free', period: { start: '', end: '' } };
  expect(isUnused({ stats, days: [{ day: '2026-10-31', tokens: 0, executions: 0 }] })).toBe(true);
  expect(isUnused({ stats, days: [{ day: '2026-10-31', tokens: 0, executions: 1 }] })).toBe(false);
  expect(isUnused({ stats: { ...stats, tokenUsage: { ...meter, current: 1 } }, days: [] })).toBe(false);
});

test.each([
  [0, 'fine'],
  [79, 'fine'],
  [80, 'nearly'],
  [99, 'nearly'],
  [100, 'reached'],
  [140, 'reached'],
])('%d of 100 requests is %s', (requests, state) => {
  expect(dailyState(requests, 100)).toBe(state);
});
