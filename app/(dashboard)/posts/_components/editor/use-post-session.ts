import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { useDraftScope } from '@/app/_kit/draft-scope';
import { followDraft } from '@/app/_kit/draft-store';
import { ifMatch, useTRPC, useTRPCClient } from '@/app/_trpc/client';
import type { BlogPostRecord } from '@/server/features/blog/blog-post.schema';
import { followsTitle } from './follows-title';
import { lastAuthor, rememberAuthor } from './post-draft';
import { PostSession } from './post-session';
import type { PostValues } from './post-values';
import type { PostView } from './post-view';

/** Stores a post returned by the server in the pages' queries, and invalidates the lists. */
function useStorePost(): (post: BlogPostRecord) => void {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  return (post) => {
    queryClient.setQueryData(trpc.blog.get.queryKey({ postId: post.id }), { success: true, data: { post } });
    void queryClient.invalidateQueries({ ...trpc.blog.list.queryFilter(), refetchType: 'none' });
    void queryClient.invalidateQueries({ ...trpc.blog.overview.queryFilter(), refetchType: 'none' });
  };
}

interface PostSessionOptions {
  identityId: string;
  /** Null for a new one. */
  post: BlogPostRecord | null;
  /** The author of a new post, if none was written on this device. */
  authorName: string;
}

/** The session of an editor while it is shown; see post-session.ts. */
export function usePostSession({ identityId, post, authorName }: PostSessionOptions): PostSession {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const queryClient = useQueryClient();
  const userId = useDraftScope()?.userId ?? '';
  const storePost = useStorePost();
  // Without a connection these fail immediately, and the session decides when to retry.
  const create = useMutation(trpc.blog.create.mutationOptions({ networkMode: 'always' })).mutateAsync;
  const update = useMutation({
    networkMode: 'always',
    mutationFn: ({ revision, ...input }: { postId: string; revision: number } & Partial<PostValues>) =>
      client.blog.update.mutate(input, ifMatch(revision)),
  }).mutateAsync;

  const [session] = useState(
    () =>
      new PostSession({
        scope: { userId, identityId },
        post,
        initial: lastAuthor(identityId) ?? { authorName },
        followsTitle: post === null || followsTitle(post),
        api: {
          create: async (values) => (await create(values)).data.post,
          update: async (postId, changes, revision) => (await update({ postId, ...changes, revision })).data.post,
          get: async (postId) =>
            (await queryClient.fetchQuery(trpc.blog.get.queryOptions({ postId }, { staleTime: 0, networkMode: 'always' }))).data
              .post,
        },
        onStored: (stored) => {
          storePost(stored);
          rememberAuthor(identityId, stored);
        },
      }),
  );

  useEffect(() => {
    session.start();
    const onVisibility = () => {
      if (document.visibilityState === 'visible') return;
      session.keepNow();
      // The page may be unloading: a post whose creation is unanswered would be created a second time.
      if (session.view().post !== null) session.saveSoon();
    };
    const onBeforeUnload = (event: BeforeUnloadEvent) => {
      session.keepNow();
      const { isDirty, isKept } = session.view();
      if (isDirty && !isKept) event.preventDefault();
    };
    window.addEventListener('pagehide', session.keepNow);
    window.addEventListener('beforeunload', onBeforeUnload);
    window.addEventListener('online', session.retryNow);
    document.addEventListener('visibilitychange', onVisibility);
    return () => {
      session.stop();
      window.removeEventListener('pagehide', session.keepNow);
      window.removeEventListener('beforeunload', onBeforeUnload);
      window.removeEventListener('online', session.retryNow);
      document.removeEventListener('visibilitychange', onVisibility);
    };
  }, [session]);

  // The key changes once a new post is saved.
  const key = usePostView(session, session.draftKey);
  useEffect(() => followDraft(key, (stored) => session.onDraftReplaced(stored !== null)), [session, key]);

  return session;
}

/**
 * Subscribes to a part of an editor's state; the component renders again only when that part changes. @param select must return
 * the same value for the same state
 */
export function usePostView<Part>(session: PostSession, select: (view: PostView) => Part): Part {
  const read = () => select(session.view());
  return useSyncExternalStore(session.subscribe, read, read);
}
