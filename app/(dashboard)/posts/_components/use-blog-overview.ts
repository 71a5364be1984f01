import { useQuery } from '@tanstack/react-query';
import { useTRPC } from '@/app/_trpc/client';
import type { BlogOverview } from '@/server/features/blog/blog-post.schema';

/** The number of posts of each status, tags to suggest, and the blog's address; undefined until loaded. */
export function useBlogOverview(): BlogOverview | undefined {
  const trpc = useTRPC();
  return useQuery(trpc.blog.overview.queryOptions({})).data;
}
