import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Ellipsis } from 'lucide-react';
import { useState } from 'react';
import { ConfirmDialog } from '@/app/_kit/confirm-dialog';
import { copyFailed, copyText } from '@/app/_kit/copy-button';
import { IconButton } from '@/app/_kit/icon-button';
import { Dropdown } from '@/app/_kit/overlay/dropdown';
import { toast } from '@/app/_kit/toast';
import { undoToast } from '@/app/_kit/undo-toast';
import { useDeletion } from '@/app/_kit/use-deletion';
import { useTRPC, useTRPCClient } from '@/app/_trpc/client';
import type { BlogPostItem, BlogPostList, ListBlogPostsInput } from '@/server/features/blog/blog-post.schema';
import type { Permission } from '@/server/platform/auth/scopes.schema';
import { moveLabel, unpublishQuestion } from './post-labels';
import {
  editPermission,
  listAfterMove,
  moveFailures,
  moveMessages,
  movesOf,
  moveTargets,
  overviewAfterMove,
  type PostMove,
  undoCallsOf,
} from './post-moves';

interface Steps {
  steps: readonly PostMove[];
  /** The post's status until then. */
  from: BlogPostItem['status'];
}

const mutationKey = ['move a post'];

/**
 * Changes a post's status, optimistically in the list and its counts. Reversible changes offer an undo for some seconds; the
 * caller asks before the others.
 */
function usePostMoves(post: BlogPostItem) {
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
    // Undo waits for the change it reverts.
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
      // Replaces the premature success toast; there is nothing left to undo.
      if (first) toast.failure(moveFailures[first], error, { id: toastId, action: undefined });
    },
    onSettled: () => {
      // While another change is pending, a refetched response without it would visibly undo it.
      if (queryClient.isMutating({ mutationKey }) > 1) return;
      void queryClient.invalidateQueries(trpc.blog.list.pathFilter());
      void queryClient.invalidateQueries(trpc.blog.overview.pathFilter());
    },
  });

  const move = (step: PostMove) => {
    const back = undoCallsOf(post, step);
    const said = { description: post.title, id: toastId };
    mutate({ steps: [step], from: post.status });
    if (back === null) toast(moveMessages[step], said);
    else {
      const undo = () => mutate({ steps: back, from: moveTargets[step] });
      undoToast({ message: moveMessages[step], ...said, onUndo: undo });
    }
  };
  return { move };
}

function useMove(move: PostMove) {
  const trpc = useTRPC();
  return useMutation(trpc.blog[move].mutationOptions()).mutateAsync;
}

interface PostMenuProps {
  post: BlogPostItem;
  /** Accessible name of the menu. */
  name: string;
  /** All status changes of the post, except those that have their own button. */
  moves?: readonly PostMove[];
  /** An additional entry. */
  extra?: { label: string; onAction: () => void } | null;
  onDeleted?: () => void;
  /** For a post of which more is known than its status. */
  needsToDelete?: Permission;
  /** True in a row of a list, where it is above the link that spans the row. */
  isInRow?: boolean;
}

/** Actions on a post besides editing. */
export function PostMenu(props: PostMenuProps) {
  const { post, name, moves = movesOf(post), extra, onDeleted, needsToDelete = editPermission(post), isInRow = false } = props;
  const { move } = usePostMoves(post);
  const [asking, setAsking] = useState<'unpublish' | 'delete' | null>(null);
  const { url } = post;
  const question = unpublishQuestion(post);
  const deletion = useDeletePost();
  const deletePost = () =>
    deletion.mutate({ key: { postId: post.id }, name: post.title, onDeleted }, { onSuccess: () => setAsking(null) });
  const asksToDelete = post.status === 'published';
  const deleteLabel = asksToDelete ? 'Delete…' : 'Delete';

  const copyAddress = async (address: string) => {
    if (await copyText(address)) toast('URL copied', { description: address });
    else toast.error(copyFailed);
  };
  const act = (action: unknown) => {
    if (action === 'delete') asksToDelete ? setAsking('delete') : deletePost();
    else if (action === 'copy') void copyAddress(url ?? '');
    else if (action === 'extra') extra?.onAction();
    else if (action === 'unpublish' && undoCallsOf(post, 'unpublish') === null) setAsking('unpublish');
    else if (action !== 'view') move(action as PostMove);
  };

  return (
    <>
      <Dropdown>
        <IconButton size="md" label={name} {...(isInRow ? { size: 'sm', className: 'relative z-1 text-muted' } : {})}>
          <Ellipsis aria-hidden />
        </IconButton>
        <Dropdown.Popover placement="bottom end">
          <Dropdown.Menu aria-label={name} onAction={act}>
            {url !== null && (
              <Dropdown.Item id="view" textValue="View on blog" href={url} target="_blank">
                <Dropdown.Label>View on blog</Dropdown.Label>
                <span className="sr-only"> (opens in a new tab)</span>
              </Dropdown.Item>
            )}
            {url !== null && (
              <Dropdown.Item id="copy" textValue="Copy URL">
                <Dropdown.Label>Copy URL</Dropdown.Label>
              </Dropdown.Item>
            )}
            {url !== null && <Dropdown.Separator className="my-1" />}
            {extra && (
              <Dropdown.Item id="extra" textValue={extra.label}>
                <Dropdown.Label>{extra.label}</Dropdown.Label>
              </Dropdown.Item>
            )}
            {moves.map((step) => (
              <Dropdown.Item key={step} id={step} needs="blog:write" textValue={moveLabel(post, step)}>
                <Dropdown.Label>{moveLabel(post, step)}</Dropdown.Label>
              </Dropdown.Item>
            ))}
            <Dropdown.Item id="delete" textValue={deleteLabel} needs={needsToDelete} variant="danger">
              <Dropdown.Label>{deleteLabel}</Dropdown.Label>
            </Dropdown.Item>
          </Dropdown.Menu>
        </Dropdown.Popover>
      </Dropdown>
      <ConfirmDialog
        isOpen={asking === 'unpublish'}
        onOpenChange={() => setAsking(null)}
        title={question.title}
        description={question.consequence}
        confirmLabel={question.confirm}
        onConfirm={() => {
          setAsking(null);
          move('unpublish');
        }}
      />
      <ConfirmDialog
        isOpen={asking === 'delete'}
        onOpenChange={() => setAsking(null)}
        title={`Delete “${post.title}”?`}
        description="Readers can no longer open it. You can restore it for 30 days. To keep the text, archive it instead."
        confirmLabel="Delete post"
        tone="danger"
        isPending={deletion.isPending}
        onConfirm={deletePost}
      />
    </>
  );
}

/** Deletes a post, and offers to undo it. */
function useDeletePost() {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const queryClient = useQueryClient();
  return useDeletion<{ postId: string }>({
    what: 'post',
    remove: (key) => client.blog.delete.mutate(key),
    restore: (key) => client.blog.restore.mutate(key),
    refresh: (key, change) => {
      // Its own page may be being left, and must not show the post again after going back.
      const refetchType = change === 'deleted' ? 'none' : 'active';
      void queryClient.invalidateQueries({ ...trpc.blog.get.queryFilter(key), refetchType });
      void queryClient.invalidateQueries(trpc.blog.list.pathFilter());
      void queryClient.invalidateQueries(trpc.blog.overview.pathFilter());
    },
  });
}
