import { Plus } from 'lucide-react';
import type { Metadata } from 'next';
import { ButtonLink } from '@/app/_kit/button-link';
import { PageHeader } from '@/app/_kit/page-header';
import { SkeletonLines } from '@/app/_kit/skeleton-lines';
import { Prefetched, type SearchPageProps } from '@/app/_trpc/page-data';
import { prefetch, trpc } from '@/app/_trpc/server';
import { BlogActions } from './_components/blog-actions';
import { PostList } from './_components/post-list';
import { postSearch } from './search-params';

export const metadata: Metadata = { title: 'Blog' };

/** The overview is loaded once per request, although both parts of the page need it. */
const loadOverview = () => prefetch(trpc.blog.overview.queryOptions({}));

export default function PostsPage({ searchParams }: SearchPageProps) {
  const load = async () => {
    const input = postSearch.input(await postSearch.load(searchParams));
    await Promise.all([loadOverview(), prefetch(trpc.blog.list.queryOptions(input))]);
  };
  return (
    <>
      <PageHeader
        title="Blog"
        actions={
          <Prefetched load={loadOverview}>
            <BlogActions />
          </Prefetched>
        }
        primaryAction={
          <ButtonLink href="/posts/new" needs="blog:draft" variant="primary">
            <Plus aria-hidden />
            New post
          </ButtonLink>
        }
      />
      <Prefetched load={load} fallback={<SkeletonLines lines={12} label="Loading posts" />}>
        <PostList />
      </Prefetched>
    </>
  );
}
