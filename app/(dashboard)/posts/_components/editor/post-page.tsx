'use client';

import { useQuery } from '@tanstack/react-query';
import { usePathname } from 'next/navigation';
import { useState } from 'react';
import { errorFacts } from '@/app/_kit/error-facts';
import { ErrorState } from '@/app/_kit/error-state';
import { useListHref } from '@/app/_kit/list-memory';
import { PageHeader } from '@/app/_kit/page-header';
import { RecordNotFound } from '@/app/_kit/record-not-found';
import { SkeletonLines } from '@/app/_kit/skeleton-lines';
import { useIsHydrated } from '@/app/_kit/use-is-hydrated';
import { useTRPC } from '@/app/_trpc/client';
import { PostEditor, type PostEditorProps } from './post-editor';

type Surroundings = Omit<PostEditorProps, 'post'>;

function Loading() {
  return (
    <div className="max-w-[46rem] py-4">
      <SkeletonLines shape="text" lines={8} label="Loading the post" />
    </div>
  );
}

/** The page of a post that exists. What was typed and not saved lies in the browser, so the editor begins there. */
export function PostPage({ postId, ...surroundings }: Surroundings & { postId: string }) {
  const trpc = useTRPC();
  const isHydrated = useIsHydrated();
  const listHref = useListHref('/posts');
  const { data, error, refetch } = useQuery(trpc.blog.get.queryOptions({ postId }));
  if (data && isHydrated) return <PostEditor key={postId} post={data.data.post} {...surroundings} />;
  if (error && !data) {
    if (['not_found', 'invalid_request'].includes(errorFacts(error).code)) return <PostNotFound />;
    return (
      <>
        <PageHeader title="Post" back={{ href: listHref, label: 'Blog' }} />
        <ErrorState error={error} onRetry={() => void refetch()} title="The post could not be loaded" />
      </>
    );
  }
  return <Loading />;
}

const newPath = '/posts/new';

/** The post whose address this page has taken on since it was created; null at the address of a new one. */
function ownPostId(pathname: string): string | null {
  return /^\/posts\/([0-9a-f-]{36})$/.exec(pathname)?.[1] ?? null;
}

/**
 * The page of a new post. Once created it goes on under the post's own address; going back to that address in the history leads here
 * again, where the post is then opened.
 */
export function NewPostPage(surroundings: Surroundings) {
  const isHydrated = useIsHydrated();
  const pathname = usePathname();
  const [opened] = useState(() => ownPostId(pathname));
  const [seen, setSeen] = useState(pathname);
  const [visit, setVisit] = useState(0);
  if (pathname !== seen) {
    setSeen(pathname);
    // Somebody asks for yet another one.
    if (pathname === newPath) setVisit(visit + 1);
  }
  if (opened !== null && visit === 0) return <PostPage postId={opened} {...surroundings} />;
  if (!isHydrated) return <Loading />;
  return <PostEditor key={visit} post={null} {...surroundings} />;
}

/** Stands where a post was deleted, belongs to another business or never existed. */
export function PostNotFound() {
  return <RecordNotFound what="post" list={{ href: '/posts', label: 'Blog' }} action="Show all posts" />;
}
