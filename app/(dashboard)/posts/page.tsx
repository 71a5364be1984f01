import type { Metadata } from 'next';
import { Suspense } from 'react';
import { SkeletonLines } from '@/app/_kit/skeleton-lines';
import { HydrateClient, prefetch, trpc } from '@/app/_trpc/server';
import { BlogActions } from './_components/blog-actions';
import { PostList } from './_components/post-list';
import { PostsHeader } from './_components/posts-header';
import { listInput, loadPostSearch } from './search-params';

export const metadata: Metadata = { title: 'Blog' };

interface PostsPageProps {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

/** Everything written for the public blog, in whatever state it is. */
export default function PostsPage({ searchParams }: PostsPageProps) {
  return (
    <>
      <PostsHeader
        actions={
          <Suspense>
            <PrefetchedActions />
          </Suspense>
        }
      />
      <Suspense fallback={<SkeletonLines lines={12} label="Loading posts" />}>
        <PrefetchedList searchParams={searchParams} />
      </Suspense>
    </>
  );
}

/** A request asks for the overview once, however many parts of the page wait for it. */
const prefetchOverview = () => prefetch(trpc.blog.overview.queryOptions({}));

async function PrefetchedActions() {
  await prefetchOverview();
  return (
    <HydrateClient>
      <BlogActions />
    </HydrateClient>
  );
}

async function PrefetchedList({ searchParams }: PostsPageProps) {
  await Promise.all([prefetchOverview(), prefetch(trpc.blog.list.queryOptions(listInput(await loadPostSearch(searchParams))))]);
  return (
    <HydrateClient>
      <PostList />
    </HydrateClient>
  );
}
