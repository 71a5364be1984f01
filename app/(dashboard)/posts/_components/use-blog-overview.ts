'use client';

import { useQuery } from '@tanstack/react-query';
import { useTRPC } from '@/app/_trpc/client';
import type { BlogOverview } from '@/server/features/blog/blog-post.schema';

/** How many posts there are of each status, tags to suggest, and where the blog is; undefined until it has come. */
export function useBlogOverview(): BlogOverview | undefined {
  const trpc = useTRPC();
  return useQuery(trpc.blog.overview.queryOptions({})).data;
}
