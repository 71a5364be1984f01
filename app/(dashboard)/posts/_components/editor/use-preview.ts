'use client';

import { useMutation } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useTRPC } from '@/app/_trpc/client';
import type { BlogPostPreview } from '@/server/features/blog/blog-site.schema';
import { latestRun } from './latest-run';
import type { PostSession } from './post-session';
import type { PostView } from './post-view';

const pauseMilliseconds = 250;
const retryMilliseconds = 5_000;

function inputOf({ values, post, isDirty }: PostView) {
  const { title, content, excerpt, coverImageUrl, authorName, authorAvatarUrl, tags } = values;
  const times = { publishedAt: post?.publishedAt ?? null, updatedAt: (!isDirty && post?.updatedAt) || null };
  return { title, content, excerpt, coverImageUrl, authorName, authorAvatarUrl, tags, ...times };
}

/** The post as readers will see it, a moment after each change. After a failure it stays what it was, and `isStale` says so. */
export function usePreview(session: PostSession): { preview: BlogPostPreview | null; isStale: boolean } {
  const trpc = useTRPC();
  const { mutateAsync } = useMutation(trpc.blog.preview.mutationOptions({ networkMode: 'always' }));
  const [preview, setPreview] = useState<BlogPostPreview | null>(null);
  const [isStale, setIsStale] = useState(false);

  useEffect(() => {
    const loop = latestRun({
      pause: pauseMilliseconds,
      retry: retryMilliseconds,
      run: mutateAsync,
      onDone: (answer) => {
        setPreview(answer);
        setIsStale(false);
      },
      onFailed: () => setIsStale(true),
    });
    let { values, post } = session.view();
    const unsubscribe = session.subscribe(() => {
      const view = session.view();
      if (view.values === values && view.post?.publishedAt === post?.publishedAt && view.post?.updatedAt === post?.updatedAt)
        return;
      ({ values, post } = view);
      loop.ask(inputOf(view));
    });
    loop.ask(inputOf(session.view()));
    loop.now();
    window.addEventListener('online', loop.now);
    return () => {
      window.removeEventListener('online', loop.now);
      unsubscribe();
      loop.stop();
    };
  }, [session, mutateAsync]);

  return { preview, isStale };
}
