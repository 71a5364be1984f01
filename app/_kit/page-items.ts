import { offsetMaximum } from '@/server/platform/paging.limits';

export interface PageTotals {
  /** The current page, from 1. */
  page: number;
  pageSize: number;
  /** The total number of rows; a lower bound if `totalIsExact` is false. */
  total: number;
  totalIsExact: boolean;
  hasMore: boolean;
}

export type PageItem = { kind: 'page'; page: number } | { kind: 'gap'; id: 'before' | 'after' | 'unknown' };

/** The last page that the API shows, however long the list is. */
export function deepestPage(pageSize: number): number {
  return Math.floor(offsetMaximum / pageSize) + 1;
}

/** The last page known to exist. If the total is only a lower bound, there may be more. */
export function lastKnownPage({ page, pageSize, total, totalIsExact, hasMore }: PageTotals): number {
  const counted = Math.max(1, Math.min(Math.ceil(total / pageSize), deepestPage(pageSize)));
  return totalIsExact ? counted : Math.max(counted, hasMore ? page + 1 : page);
}

/**
 * The items of a pager: the first page, the current page with its neighbours, the last one, and gaps between them. If the total
 * is only a lower bound there is no last page, so the row ends with a gap.
 */
export function pageItems(totals: PageTotals): PageItem[] {
  const last = lastKnownPage(totals);
  const isOpenEnded = !totals.totalIsExact && totals.hasMore;
  const shown = new Set([1, totals.page - 1, totals.page, totals.page + 1]);
  if (!isOpenEnded) shown.add(last);
  // A gap that replaces a single page is less useful than that page.
  if (shown.has(3)) shown.add(2);
  if (shown.has(last - 2) && !isOpenEnded) shown.add(last - 1);
  const pages = [...shown].filter((page) => page >= 1 && page <= last).sort((a, b) => a - b);
  const items: PageItem[] = [];
  for (const page of pages) {
    const previous = items.at(-1);
    if (previous?.kind === 'page' && page > previous.page + 1) {
      items.push({ kind: 'gap', id: page <= totals.page ? 'before' : 'after' });
    }
    items.push({ kind: 'page', page });
  }
  if (isOpenEnded) items.push({ kind: 'gap', id: 'unknown' });
  return items;
}
