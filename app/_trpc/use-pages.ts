'use client';

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

type PageParam = string | number | null;

interface PagesOptions<Page, Item, Param extends PageParam> {
  /** The key of the list, without the position. */
  queryKey: QueryKey;
  /** The query of the page that begins at `param`. */
  // biome-ignore lint/suspicious/noExplicitAny: its key and error are of no interest here, and tRPC's can't be named
  pageAt: (param: Param) => FetchQueryOptions<Page, any, Page, any>;
  /** Parameter of the first page. */
  first: Param;
  /** Parameter of the page after these; null or undefined if there is none. */
  next: (last: Page, all: Page[]) => Param | null | undefined;
  /** The records of a page. Must be one stable function, so that the list is only recomputed when it changes. */
  itemsOf: (page: Page) => readonly Item[];
  /** Shows the previous list's records while another list is loading. */
  keepsPrevious?: boolean;
  refetchOnMount?: 'always';
  /** Refetches when this changes. */
  news?: string | number | undefined;
  /** In milliseconds. */
  refetchInterval?: (first: Page | undefined) => number | false;
}

/** A list shown page by page, with what `LoadMore` needs. Starts with the first page that the server prefetched, if any. */
export function usePages<Page, Item extends { id: string }, Param extends PageParam>(options: PagesOptions<Page, Item, Param>) {
  const { queryKey, pageAt, first, next, itemsOf, keepsPrevious, refetchOnMount = true, news, refetchInterval } = options;
  const queryClient = useQueryClient();
  const prefetched = queryClient.getQueryState<Page>(pageAt(first).queryKey);
  const query = useInfiniteQuery<Page, Error, InfiniteData<Page, Param>, QueryKey, Param>({
    queryKey: [...queryKey, pagesKey],
    queryFn: ({ pageParam }) => queryClient.fetchQuery<Page>({ ...pageAt(pageParam as Param), staleTime: 0 }),
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
    // Between two requests a record may have moved from one page to the next.
    const byId = new Map(pages?.flatMap((page) => itemsOf(page)).map((item) => [item.id, item]));
    return [...byId.values()];
  }, [pages, itemsOf]);
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
