'use client';

import { useMutation } from '@tanstack/react-query';
import { useTheme } from 'next-themes';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { SkeletonLines } from '@/app/_kit/skeleton-lines';
import { useTRPC } from '@/app/_trpc/client';
import type { BlogPostPreview } from '@/server/features/blog/blog-site.schema';
import { latestRun } from './latest-run';
import type { PostSession } from './post-session';
import type { PostView } from './post-view';
import { applyPage, followLinks, scrollToPart, setScheme, writtenPage } from './preview-document';

interface PreviewPaneProps {
  preview: BlogPostPreview | null;
  isStale: boolean;
  source: RefObject<HTMLElement | null>;
}

/** The post as readers will see it, with notes about the preview. */
export function PreviewPane({ preview, isStale, source }: PreviewPaneProps) {
  const note = isStale
    ? preview
      ? 'Preview is out of date.'
      : 'Preview isn’t available right now.'
    : preview?.isPlain
      ? 'Too long to preview; showing plain text.'
      : '';
  return (
    <>
      <p role="status" className={note === '' ? 'sr-only' : 'border-b border-border px-4 py-1.5 text-label text-muted'}>
        {note}
      </p>
      {preview ? (
        <div className="min-h-0 flex-1">
          <PreviewFrame page={preview.page} source={source} />
        </div>
      ) : (
        !isStale && (
          <div className="p-8">
            <SkeletonLines shape="text" lines={8} label="Loading preview" />
          </div>
        )
      )}
    </>
  );
}

interface PreviewFrameProps {
  /** The whole public page. */
  page: string;
  /** The scroll container of the source; the page follows it. */
  source: RefObject<HTMLElement | null>;
}

/** The public page in a frame without scripts. It is loaded once; later pages patch the differences. */
function PreviewFrame({ page, source }: PreviewFrameProps) {
  const frame = useRef<HTMLIFrameElement>(null);
  const [firstPage] = useState(() => writtenPage(page));
  const [shown, setShown] = useState<Document | null>(null);
  const scheme = useTheme().resolvedTheme === 'dark' ? 'dark' : 'light';

  useEffect(() => {
    const element = frame.current;
    if (!element) return;
    const onLoad = () => {
      if (element.contentDocument?.URL === 'about:srcdoc') setShown(element.contentDocument);
    };
    element.addEventListener('load', onLoad);
    if (element.contentDocument?.readyState === 'complete') onLoad();
    return () => element.removeEventListener('load', onLoad);
  }, []);

  useEffect(() => {
    if (shown) setScheme(shown, scheme);
  }, [shown, scheme]);

  useEffect(() => {
    if (shown) applyPage(shown, page);
  }, [shown, page]);

  useEffect(() => (shown ? followLinks(shown) : undefined), [shown]);

  useEffect(() => {
    const element = source.current;
    if (!shown || !element) return;
    const onScroll = () => {
      const room = element.scrollHeight - element.clientHeight;
      if (room > 0) scrollToPart(shown, element.scrollTop / room);
    };
    element.addEventListener('scroll', onScroll, { passive: true });
    return () => element.removeEventListener('scroll', onScroll);
  }, [shown, source]);

  return (
    <iframe
      ref={frame}
      srcDoc={firstPage}
      title="Post preview"
      sandbox="allow-same-origin"
      className={`block size-full ${shown ? '' : 'opacity-0'}`}
    />
  );
}

const pauseMilliseconds = 250;
const retryMilliseconds = 5_000;

function inputOf({ values, post, isDirty }: PostView) {
  const { title, content, excerpt, coverImageUrl, authorName, authorAvatarUrl, tags } = values;
  const times = { publishedAt: post?.publishedAt ?? null, updatedAt: (!isDirty && post?.updatedAt) || null };
  return { title, content, excerpt, coverImageUrl, authorName, authorAvatarUrl, tags, ...times };
}

/** The post as readers will see it, updated a moment after each change. After a failure it stays, and `isStale` is true. */
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
