export interface PageTotals {
  /** The page at hand, from 1. */
  page: number;
  pageSize: number;
  /** How many there are in all, or at least, where `totalIsExact` is false. */
  total: number;
  totalIsExact: boolean;
  hasMore: boolean;
}

export type PageItem = { kind: 'page'; page: number } | { kind: 'gap'; id: 'before' | 'after' | 'unknown' };

/** The last page known to exist. Where the total is only a lower bound, there may be further ones. */
export function lastKnownPage({ page, pageSize, total, totalIsExact, hasMore }: PageTotals): number {
  const counted = Math.max(1, Math.ceil(total / pageSize));
  return totalIsExact ? counted : Math.max(counted, hasMore ? page + 1 : page);
}

/**
 * What a pager shows: the first page, the page at hand with its neighbours, the last one, and gaps between them. With a total that is
 * only a lower bound there is no last page to jump to, so the row ends with a gap.
 */
export function pageItems(totals: PageTotals): PageItem[] {
  const last = lastKnownPage(totals);
  const isOpenEnded = !totals.totalIsExact && totals.hasMore;
  const shown = new Set([1, totals.page - 1, totals.page, totals.page + 1]);
  if (!isOpenEnded) shown.add(last);
  // A gap that stands for one page only says less than that page.
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
