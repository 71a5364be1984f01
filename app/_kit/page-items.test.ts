import { describe, expect, it } from 'vitest';
import { lastKnownPage, type PageTotals, pageItems } from './page-items';

const totals = (page: number, total: number, rest: Partial<PageTotals> = {}): PageTotals => ({
  page,
  pageSize: 25,
  total,
  totalIsExact: true,
  hasMore: page * 25 < total,
  ...rest,
});

const shown = (given: PageTotals) =>
  pageItems(given)
    .map((item) => (item.kind === 'page' ? item.page : '…'))
    .join(' ');

describe('pageItems', () => {
  it.each([
    [1, 10, '1'],
    [1, 50, '1 2'],
    [1, 75, '1 2 3'],
    [1, 214, '1 2 … 9'],
    [3, 214, '1 2 3 4 … 9'],
    [5, 214, '1 … 4 5 6 … 9'],
    [7, 214, '1 … 6 7 8 9'],
    [9, 214, '1 … 8 9'],
  ])('page %i of %i', (page, total, expected) => {
    expect(shown(totals(page, total))).toBe(expected);
  });

  it('has no last page where the total is only a lower bound', () => {
    const atLeast = { totalIsExact: false, hasMore: true };
    expect(shown(totals(1, 1000, atLeast))).toBe('1 2 …');
    expect(shown(totals(40, 1000, atLeast))).toBe('1 … 39 40 41 …');
    expect(shown(totals(90, 1000, atLeast))).toBe('1 … 89 90 91 …');
  });

  it('ends where the last of countless pages was reached', () => {
    const end = totals(45, 1000, { totalIsExact: false, hasMore: false });
    expect(lastKnownPage(end)).toBe(45);
    expect(shown(end)).toBe('1 … 44 45');
  });

  it('shows the real pages when asked for one beyond them', () => {
    expect(shown(totals(99, 50))).toBe('1 2');
  });
});
