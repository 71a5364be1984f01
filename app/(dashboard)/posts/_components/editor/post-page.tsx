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

type EditorContext = Omit<PostEditorProps, 'post'>;

function Loading() {
  return (
    <div className="max-w-[46rem] py-4">
      <SkeletonLines shape="text" lines={8} label="Loading post" />
    </div>
  );
}

/** The page of an existing post. Unsaved changes are in the browser's storage, so the editor starts there. */
export function PostPage({ postId, ...context }: EditorContext & { postId: string }) {
  const trpc = useTRPC();
  const isHydrated = useIsHydrated();
  const listHref = useListHref('/posts');
  const { data, error, refetch } = useQuery(trpc.blog.get.queryOptions({ postId }));
  if (data && isHydrated) return <PostEditor key={postId} post={data.data.post} {...context} />;
  if (error && !data) {
    if (['not_found', 'invalid_request'].includes(errorFacts(error).code)) return <RecordNotFound what="post" id={postId} />;
    return (
      <>
        <PageHeader title="Post" back={{ href: listHref, label: 'Blog' }} />
        <ErrorState error={error} onRetry={() => void refetch()} title="Couldn’t load the post" />
      </>
    );
  }
  return <Loading />;
}

const newPath = '/posts/new';

/** The post that this page has created and whose address it shows now; null at the address of a new one. */
function ownPostId(pathname: string): string | null {
  return /^\/posts\/([0-9a-f-]{36})$/.exec(pathname)?.[1] ?? null;
}

/**
 * The page of a new post. Once created, it continues under the post's own address. Going back to that address in the history
 * leads here again, where the post is opened.
 */
export function NewPostPage(context: EditorContext) {
  const isHydrated = useIsHydrated();
  const pathname = usePathname();
  const [opened] = useState(() => ownPostId(pathname));
  const [seen, setSeen] = useState(pathname);
  const [visit, setVisit] = useState(0);
  if (pathname !== seen) {
    setSeen(pathname);
    // Another new post was requested.
    if (pathname === newPath) setVisit(visit + 1);
  }
  if (opened !== null && visit === 0) return <PostPage postId={opened} {...context} />;
  if (!isHydrated) return <Loading />;
  return <PostEditor key={visit} post={null} {...context} />;
}
