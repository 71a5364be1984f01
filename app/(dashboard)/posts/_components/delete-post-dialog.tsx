'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { ConfirmDialog } from '@/app/_kit/confirm-dialog';
import { errorFacts } from '@/app/_kit/error-facts';
import { toast } from '@/app/_kit/toast';
import { useTRPC } from '@/app/_trpc/client';
import type { BlogPostItem } from '@/server/features/blog/blog-post.schema';
import { deletionConsequence } from './post-labels';

interface DeletePostDialogProps {
  post: Pick<BlogPostItem, 'id' | 'title' | 'status'>;
  isOpen: boolean;
  onOpenChange: (isOpen: boolean) => void;
  /** Called once the post is gone, before anything asks for it again. */
  onDeleted?: () => void;
}

/** Asks before a post is deleted for good. */
export function DeletePostDialog({ post, isOpen, onOpenChange, onDeleted }: DeletePostDialogProps) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const { id: postId, title } = post;
  const remove = useMutation(
    trpc.blog.delete.mutationOptions({
      onSuccess: async () => {
        onOpenChange(false);
        onDeleted?.();
        toast('Post deleted', { description: title, id: `post-${postId}` });
        // Its own page may be being left, and must not show it again on the way back.
        await queryClient.invalidateQueries({ ...trpc.blog.get.queryFilter({ postId }), refetchType: 'none' });
        await Promise.all([
          queryClient.invalidateQueries(trpc.blog.list.pathFilter()),
          queryClient.invalidateQueries(trpc.blog.overview.pathFilter()),
        ]);
      },
      onError: (error) => toast.error(`The post was not deleted. ${errorFacts(error).message}`),
    }),
  );
  return (
    <ConfirmDialog
      isOpen={isOpen}
      onOpenChange={onOpenChange}
      title={`Delete “${title}”?`}
      description={deletionConsequence(post)}
      confirmLabel="Delete post"
      tone="danger"
      isPending={remove.isPending}
      onConfirm={() => remove.mutate({ postId })}
    />
  );
}
