import { expect, test } from 'vitest';
import { compact, countOf, estimate, formatPercent, shareOf, wholePercent } from './figures';

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
  expect(formatPercent(61.7, 'en')).toBe('62\u00a0%');
  expect(formatPercent(1234, 'en')).toBe('1,234\u00a0%');
  expect(formatPercent(1234, 'de')).toBe('1.234\u00a0%');
  expect(formatPercent(100 / 3, 'en')).toBe('33\u00a0%');
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
  expect(formatPercent(0, 'en')).toBe('0\u00a0%');
  expect(formatPercent(0.001, 'en')).toBe('<\u00a01\u00a0%');
  expect(formatPercent(0.6, 'en')).toBe('1\u00a0%');
});

test('one of something is singular', () => {
  expect(countOf(1, 'executions', '1')).toBe('1 execution');
  expect(countOf(0, 'tokens', '0')).toBe('0 tokens');
});
