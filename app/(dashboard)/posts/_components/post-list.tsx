'use client';

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useQueryStates } from 'nuqs';
import { useEffect, useMemo } from 'react';
import { DataTable } from '@/app/_kit/data-table';
import { ErrorState } from '@/app/_kit/error-state';
import { rememberList } from '@/app/_kit/list-memory';
import { ListTotal } from '@/app/_kit/list-total';
import { Pagination } from '@/app/_kit/pagination';
import { SkeletonLines } from '@/app/_kit/skeleton-lines';
import { Surface } from '@/app/_kit/surface';
import { useTRPC } from '@/app/_trpc/client';
import type { BlogPostItem } from '@/server/features/blog/blog-post.schema';
import { listInput, pageOf, postSearchParams, postSearchQuery, postsPerPage } from '../search-params';
import { EmptyPostList } from './empty-post-list';
import { postColumns } from './post-columns';
import { PostFilters } from './post-filters';
import { useKeptFocus } from './use-kept-focus';

const rowId = (post: BlogPostItem) => post.id;
const rowHref = (post: BlogPostItem) => `/posts/${post.id}`;

/** The posts, with what narrows them down. While the next answer is on its way, the rows at hand stay. */
export function PostList() {
  const trpc = useTRPC();
  const [search, setSearch] = useQueryStates(postSearchParams, { history: 'push' });
  const { data, error, isPlaceholderData, refetch, isFetching } = useQuery(
    trpc.blog.list.queryOptions(listInput(search), { placeholderData: keepPreviousData, select: ({ data }) => data }),
  );
  const isFiltered = Boolean(search.q || search.status || search.tag);
  const query = postSearchQuery(search);

  const posts = data?.posts;
  const ids = useMemo(() => posts?.map(rowId) ?? [], [posts]);
  const keptFocus = useKeptFocus<HTMLElement>({ ids, query });

  useEffect(() => rememberList('/posts', query), [query]);

  const showPage = (page: number) => {
    void setSearch({ page }, { scroll: false });
    keptFocus.ref.current?.scrollIntoView({ block: 'nearest' });
  };

  if (data?.total === 0 && !isFiltered && !isPlaceholderData) return <EmptyPostList kind="none" />;
  return (
    <section {...keptFocus} tabIndex={-1} aria-label="Posts" className="scroll-mt-20 outline-none">
      <div className="mb-3 flex flex-wrap items-center gap-2">
        <PostFilters />
        {data && <ListTotal total={data.total} isExact={data.totalIsExact} one="post" many="posts" order="newest first" />}
      </div>
      <Surface isList>
        {error && !isFetching ? (
          <ErrorState error={error} onRetry={() => void refetch()} title="The posts could not be loaded" />
        ) : !data ? (
          <SkeletonLines lines={12} label="Loading posts" />
        ) : data.posts.length === 0 ? (
          <EmptyPostList kind={data.total > 0 ? 'no-such-page' : 'nothing-found'} />
        ) : (
          <DataTable
            label="Posts"
            columns={postColumns}
            rows={data.posts}
            rowId={rowId}
            rowHref={rowHref}
            isStale={isPlaceholderData}
          />
        )}
      </Surface>
      {data && !error && (
        <div className="mt-4 flex justify-center max-md:mb-16">
          <Pagination
            label="posts"
            page={pageOf(search)}
            pageSize={postsPerPage}
            total={data.total}
            totalIsExact={data.totalIsExact}
            hasMore={data.hasMore}
            hrefFor={(page) => `/posts${postSearchQuery({ ...search, page })}`}
            onPageChange={showPage}
          />
        </div>
      )}
    </section>
  );
}
