import { useMutation } from '@tanstack/react-query';
import { toast } from '@/app/_kit/toast';
import { useTRPC } from '@/app/_trpc/client';
import type { DeletedConversations } from '@/server/features/conversations/conversation-bulk.schema';
import { changeKey, useConversationCache } from './use-conversation-cache';

/** Undo waits for what it undoes. */
const scope = { id: 'trash' };

/** Moves a conversation to the trash and back; shown at once wherever it is shown. */
export function useTrash() {
  const trpc = useTRPC();
  const cache = useConversationCache();
  const remove = useMutation({
    ...trpc.conversations.delete.mutationOptions({
      onMutate: ({ conversationId }) => cache.show(conversationId, { isTrashed: true }),
      onError: (error) => toast.failure('Couldn’t delete the conversation.', error),
      onSettled: cache.settle,
    }),
    mutationKey: [...changeKey, 'delete'],
    scope,
  });
  const restore = useMutation({
    ...trpc.conversations.restore.mutationOptions({
      onMutate: ({ conversationId }) => cache.show(conversationId, { isTrashed: false }),
      onSuccess: (conversation, { conversationId }) => cache.take(conversation, conversationId),
      onError: (error) => toast.failure('Couldn’t restore the conversation.', error),
      onSettled: cache.settle,
    }),
    mutationKey: [...changeKey, 'restore'],
    scope,
  });
  return {
    trash: (conversationId: string) => remove.mutate({ conversationId }),
    restore: (conversationId: string) => restore.mutate({ conversationId }),
  };
}

/** Deletes many conversations, request by request until all are deleted. */
export function useDeleteMany() {
  const trpc = useTRPC();
  const cache = useConversationCache();
  const request = useMutation(trpc.conversations.deleteMany.mutationOptions()).mutateAsync;
  return useMutation({
    mutationKey: [...changeKey, 'delete many'],
    mutationFn: async (chosen: { senderEmail: string } | { folder: 'spam' | 'trash' }) => {
      let deleted = 0;
      let answer: DeletedConversations;
      do {
        answer = await request(chosen);
        deleted += answer.deleted;
      } while (answer.hasMore && answer.deleted > 0);
      return deleted;
    },
    onError: (error) => toast.failure('Couldn’t delete the conversations.', error),
    onSettled: cache.settle,
  });
}

/** "1 conversation", "12 conversations". */
export function countedConversations(count: number): string {
  return count === 1 ? '1 conversation' : `${count.toLocaleString()} conversations`;
}
