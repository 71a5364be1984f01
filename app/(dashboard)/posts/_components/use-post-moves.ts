'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { errorFacts } from '@/app/_kit/error-facts';
import { toast } from '@/app/_kit/toast';
import { undoToast } from '@/app/_kit/undo-toast';
import { useTRPC } from '@/app/_trpc/client';
import type { BlogPostItem, BlogPostList, ListBlogPostsInput } from '@/server/features/blog/blog-post.schema';
import { listAfterMove, movedWords, moveFailures, moveTargets, overviewAfterMove, type PostMove, wayBack } from './post-moves';

interface Steps {
  steps: readonly PostMove[];
  /** The status it is left with meanwhile. */
  from: BlogPostItem['status'];
}

const mutationKey = ['move a post'];

/**
 * Moves a post to another status, in the list and its counts as if the answer were there already. Moves that can be taken back offer
 * that for some seconds; the others are the caller's to ask about.
 */
export function usePostMoves(post: BlogPostItem) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const postId = post.id;
  const toastId = `post-${postId}`;
  const calls: Record<PostMove, ReturnType<typeof useMove>> = {
    publish: useMove('publish'),
    unpublish: useMove('unpublish'),
    archive: useMove('archive'),
  };

  const { mutate } = useMutation({
    mutationKey,
    // Undoing waits for what it undoes.
    scope: { id: toastId },
    mutationFn: async ({ steps }: Steps) => {
      for (const step of steps) queryClient.setQueryData(trpc.blog.get.queryKey({ postId }), await calls[step]({ postId }));
    },
    onMutate: async ({ steps, from }) => {
      const last = steps.at(-1);
      if (!last) return;
      const status = moveTargets[last];
      const listKey = trpc.blog.list.pathKey();
      const overviewKey = trpc.blog.overview.queryKey({});
      await Promise.all([queryClient.cancelQueries({ queryKey: listKey }), queryClient.cancelQueries({ queryKey: overviewKey })]);
      for (const [queryKey, list] of queryClient.getQueriesData<BlogPostList>({ queryKey: listKey })) {
        const { input } = (queryKey[1] ?? {}) as { input?: Partial<ListBlogPostsInput> };
        const now = new Date().toISOString();
        if (list) queryClient.setQueryData(queryKey, listAfterMove(list, postId, { status, shown: input?.status, now }));
      }
      queryClient.setQueryData(overviewKey, (overview) => overview && overviewAfterMove(overview, from, status));
    },
    onError: (error, { steps }) => {
      const [first] = steps;
      // In the place of what was said too early; there is nothing to undo any more.
      if (first) toast.error(`${moveFailures[first]} ${errorFacts(error).message}`, { id: toastId, action: undefined });
    },
    onSettled: () => {
      // While another move is on its way, an answer that does not know of it would undo it before the reader's eyes.
      if (queryClient.isMutating({ mutationKey }) > 1) return;
      void queryClient.invalidateQueries(trpc.blog.list.pathFilter());
      void queryClient.invalidateQueries(trpc.blog.overview.pathFilter());
    },
  });

  const move = (step: PostMove) => {
    const back = wayBack(post, step);
    const said = { description: post.title, id: toastId };
    mutate({ steps: [step], from: post.status });
    if (back === null) toast(movedWords[step], said);
    else {
      const undo = () => mutate({ steps: back, from: moveTargets[step] });
      undoToast({ message: movedWords[step], ...said, onUndo: undo });
    }
  };
  return { move };
}

function useMove(move: PostMove) {
  const trpc = useTRPC();
  return useMutation(trpc.blog[move].mutationOptions()).mutateAsync;
}
