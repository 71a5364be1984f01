import { expect, test, vi } from 'vitest';
import {
  compact,
  countOf,
  decidingMetric,
  estimate,
  formatDay,
  formatMonth,
  formatPercent,
  isUnused,
  shareOf,
  toDayRows,
  toMeterView,
  toQuotaView,
  toShareRows,
  wholePercent,
} from './figures';

test('a quota is fine, nearly used up, reached, or none at all', () => {
  expect(toQuotaView({ current: 10, limit: 200 })).toEqual({ state: 'fine', percent: 5 });
  expect(toQuotaView({ current: 160, limit: 200 })).toEqual({ state: 'nearly', percent: 80 });
  expect(toQuotaView({ current: 200, limit: 200 })).toEqual({ state: 'reached', percent: 100 });
  expect(toQuotaView({ current: 500, limit: 200 })).toEqual({ state: 'reached', percent: 100 });
  expect(toQuotaView({ current: 0, limit: 0 })).toEqual({ state: 'reached', percent: 100 });
  expect(toQuotaView({ current: 5, limit: -1 })).toEqual({ state: 'unlimited', percent: 0 });
});

const share = (name: string, tokens: number, executions = 0) => ({ name, agentId: null, tokens, executions });

test('rows are shares of the whole, the rest included', () => {
  const rows = toShareRows({ shares: [share('sonnet', 60), share('', 30)], rest: { tokens: 10, executions: 5 } });
  expect(rows.map(({ name, kind, share }) => [name, kind, share])).toEqual([
    ['sonnet', 'given', 60],
    ['Unknown', 'missing', 30],
    ['Other', 'rest', 10],
  ]);
});

test('something named like a word of ours keeps a row of its own', () => {
  const rows = toShareRows({
    shares: [share('Other', 3), share('Unknown', 2), share('', 1)],
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
  expect(toQuotaView({ current: requests, limit: 100 }).state).toBe(state);
});

test('within the plan the bar is as long as the plan', () => {
  expect(toMeterView(50, 200, 100)).toEqual({ state: 'within', used: 25, projected: 50, end: 100 });
});

test('a projection beyond the plan stretches the bar', () => {
  expect(toMeterView(50, 100, 200)).toEqual({ state: 'heading-over', used: 25, projected: 100, end: 50 });
});

test('what is used beyond the plan counts as over it', () => {
  expect(toMeterView(200, 100, 400)).toEqual({ state: 'over', used: 50, projected: 100, end: 25 });
});

test('exactly the plan is still within it', () => {
  expect(toMeterView(100, 100, 100).state).toBe('within');
});

test('without a limit nothing marks an end', () => {
  expect(toMeterView(40, -1, 80)).toEqual({ state: 'unlimited', used: 40, projected: 80, end: null });
  expect(toMeterView(0, -1, 0)).toEqual({ state: 'unlimited', used: 0, projected: 0, end: null });
});

test('a plan that includes nothing is over with the first use', () => {
  expect(toMeterView(0, 0, 0)).toEqual({ state: 'within', used: 0, projected: 0, end: 100 });
  expect(toMeterView(1, 0, 2)).toEqual({ state: 'over', used: 50, projected: 100, end: 0 });
});

test('a projection is never less than what is used', () => {
  expect(toMeterView(30, 100, 20).projected).toBe(30);
});

test('a bar is one metric of a day', () => {
  const days = [
    { day: '2026-11-20', tokens: 5, executions: 1 },
    { day: '2026-11-21', tokens: 0, executions: 2 },
  ];
  expect(toDayRows(days, 'executions')).toEqual([
    { day: '2026-11-20', value: 1 },
    { day: '2026-11-21', value: 2 },
  ]);
});

test.each([
  ['Pacific/Honolulu', '14:00:00'],
  ['UTC', '00:00:00'],
  ['Asia/Tokyo', '09:00:00'],
])('a UTC day stays that day in %s', (timeZone, midnight) => {
  vi.stubEnv('TZ', timeZone);
  expect(new Date(0).toLocaleTimeString('en-GB')).toBe(midnight);
  expect(formatDay('2026-11-01', 'en-GB', 'short')).toBe('1 Nov');
  expect(formatDay('2026-11-01', 'en-GB', 'long')).toMatch(/^Sunday,? 1 November 2026$/);
  expect(formatMonth('2026-11-01T00:00:00.000Z', 'en-GB')).toBe('November 2026');
});

test('dates are English, in the order the viewer is used to', () => {
  expect(formatDay('2026-11-01', 'en-US', 'short')).toBe('Nov 1');
  expect(formatDay('2026-11-01', 'de-DE', 'short')).toBe('1 Nov');
});

test.each([
  [0, 'en', '0', '0'],
  [976, 'en', '976', '976'],
  [9_950, 'en', '9,950', '10k'],
  [12_345, 'en', '12.3 thousand', '12.3k'],
  [999_949, 'en', '999.9 thousand', '999.9k'],
  [999_950, 'en', '1 million', '1M'],
  [18_234_567, 'en', '18.2 million', '18.2M'],
  [18_234_567, 'de', '18,2 million', '18,2M'],
  [2_500_000_000, 'en', '2.5 billion', '2.5B'],
  [9_007_199_254_740_991, 'en', '9,007.2 trillion', '9,007.2T'],
])('%d in %s is %s, or %s', (value, locale, words, letters) => {
  expect(compact(value, locale, 'word')).toBe(words);
  expect(compact(value, locale, 'letter')).toBe(letters);
});

test('a share is in percent, and nothing has no shares', () => {
  expect(shareOf(1, 4)).toBe(25);
  expect(shareOf(2, 1)).toBe(200);
  expect(shareOf(0, 0)).toBe(0);
});

test('percents are whole and follow the locale', () => {
  expect(formatPercent(61.7, 'en')).toBe('62%');
  expect(formatPercent(1234, 'en')).toBe('1,234%');
  expect(formatPercent(1234, 'de')).toBe('1.234\u00a0%');
  expect(formatPercent(100 / 3, 'en')).toBe('33%');
});

test('only all of it is a hundred percent', () => {
  expect([99.4, 99.9, 100, 100.1, 101.2].map(wholePercent)).toEqual([99, 99, 100, 101, 101]);
});

test('a projection has three digits, and is never less than what is used', () => {
  expect(estimate(1_301, 925)).toBe(1_300);
  expect(estimate(17_148_210, 12_000_000)).toBe(17_100_000);
  expect(estimate(1_304, 1_304)).toBe(1_304);
  expect(estimate(0, 0)).toBe(0);
});

test('a little is not nothing', () => {
  expect(formatPercent(0, 'en')).toBe('0%');
  expect(formatPercent(0.001, 'en')).toBe('<1%');
  expect(formatPercent(0.6, 'en')).toBe('1%');
});

test('one of something is singular', () => {
  expect(countOf(1, 'executions', '1')).toBe('1 task');
  expect(countOf(0, 'tokens', '0')).toBe('0 tokens');
});
