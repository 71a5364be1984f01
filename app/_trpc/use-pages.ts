import {
  type FetchQueryOptions,
  type InfiniteData,
  keepPreviousData,
  type QueryKey,
  useInfiniteQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { useEffect, useMemo, useRef } from 'react';

/** The last part of the key of a query that holds all pages of a list. */
const pagesKey = 'pages';

/** True for a query that holds all pages of a list, rather than one of them. */
export function holdsPages({ queryKey }: { queryKey: QueryKey }): boolean {
  return queryKey.at(-1) === pagesKey;
}

type ItemOf<Page, Key> = Page extends Record<Key & string, readonly (infer Item extends { id: string })[]> ? Item : never;

interface PagesOptions<Page, Key extends string, Position extends object> {
  /** The query of the page that begins at a position. */
  // biome-ignore lint/suspicious/noExplicitAny: its key and error are of no interest here, and tRPC's can't be named
  pageAt: (position: Position) => FetchQueryOptions<Page, any, Page, any>;
  first: Position;
  /** The position of the page after these; undefined if there is none. */
  next: (last: Page, all: Page[]) => Position | undefined;
  /** The field of a page that holds its records. */
  items: Key;
  /** Shows the previous list's records while another list is loading. */
  keepsPrevious?: boolean;
  refetchOnMount?: 'always';
  /** Refetches when this changes. */
  news?: string | number | undefined;
  /** In milliseconds. */
  refetchInterval?: (first: Page | undefined) => number | false;
}

/** A list shown page by page, with what `LoadMore` needs. Starts with the first page that the server prefetched, if any. */
export function usePages<Page extends object, Key extends string, Position extends object>(
  options: PagesOptions<Page, Key, Position>,
) {
  const { pageAt, first, next, items: key, keepsPrevious, refetchOnMount = true, news, refetchInterval } = options;
  const queryClient = useQueryClient();
  const { queryKey } = pageAt(first);
  const prefetched = queryClient.getQueryState<Page>(queryKey);
  const query = useInfiniteQuery<Page, Error, InfiniteData<Page, Position>, QueryKey, Position>({
    queryKey: [...queryKey, pagesKey],
    queryFn: ({ pageParam }) => queryClient.fetchQuery<Page>({ ...pageAt(pageParam as Position), staleTime: 0 }),
    initialPageParam: first,
    getNextPageParam: next,
    refetchOnMount,
    refetchInterval: ({ state }) => refetchInterval?.(state.data?.pages[0]) ?? false,
    ...(keepsPrevious && { placeholderData: keepPreviousData }),
    ...(prefetched?.data !== undefined && {
      initialData: { pages: [prefetched.data], pageParams: [first] },
      initialDataUpdatedAt: prefetched.dataUpdatedAt,
    }),
  });
  const { refetch } = query;
  const lastNews = useRef(news);
  useEffect(() => {
    const previous = lastNews.current;
    lastNews.current = news;
    if (previous !== undefined && previous !== news) void refetch();
  }, [news, refetch]);
  const { pages } = query.data ?? {};
  const items = useMemo(() => {
    const all = pages?.flatMap((page) => page[key as unknown as keyof Page] as readonly ItemOf<Page, Key>[]) ?? [];
    // Between two requests a record may have moved from one page to the next.
    return [...new Map(all.map((item) => [item.id, item])).values()];
  }, [pages, key]);
  return {
    items,
    firstPage: pages?.[0],
    lastPage: pages?.at(-1),
    isLoaded: pages !== undefined,
    /** True while the records belong to the previous list. */
    isStale: query.isPlaceholderData,
    hasMore: query.hasNextPage,
    isLoadingMore: query.isFetchingNextPage,
    hasFailedToLoadMore: query.isFetchNextPageError,
    loadMore: () => void query.fetchNextPage(),
    /** A failure only if there is no data to show. */
    error: pages === undefined && !query.isFetching ? query.error : null,
    retry: () => void refetch(),
  };
}

/** Where a page of a list with `nextCursor` begins. */
export type ListPlace = { offset: 0; cursor?: string };

export const listStart: ListPlace = { offset: 0 };

/** The place of the page after this one; undefined if it is the last. */
export function placeAfter({ nextCursor }: { nextCursor: string | null }): ListPlace | undefined {
  return nextCursor === null ? undefined : { offset: 0, cursor: nextCursor };
}

type Cursor = { before?: string };
const firstCursor: Cursor = {};

/** A list whose pages say where the next one begins: `usePages` for those. */
export function useCursorPages<Page extends { next: string | null }, Key extends string>(
  options: Omit<PagesOptions<Page, Key, Cursor>, 'first' | 'next'>,
) {
  const next = (last: Page) => (last.next === null ? undefined : { before: last.next });
  return usePages({ ...options, first: firstCursor, next });
}
