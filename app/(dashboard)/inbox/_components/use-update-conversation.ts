import { useMutation } from '@tanstack/react-query';
import { toast } from '@/app/_kit/toast';
import { useTRPC } from '@/app/_trpc/client';
import { type ConversationChange, changeKey, useConversationCache } from './use-conversation-cache';

/**
 * Updates a conversation optimistically wherever it is shown, one change after the other: "unread" must not overtake the "read" of
 * opening it. `failure` is the beginning of the error message.
 */
export function useUpdateConversation(conversationId: string, failure: string) {
  const trpc = useTRPC();
  const cache = useConversationCache();
  return useMutation({
    ...trpc.conversations.update.mutationOptions({
      onMutate: ({ conversationId, seenUntil, unreadFrom, addLabels, removeLabels, ...change }) => {
        const known = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
        return cache.show(conversationId, known as ConversationChange);
      },
      onSuccess: (conversation, { conversationId }) => cache.take(conversation, conversationId),
      onError: (error) => toast.failure(failure, error),
      onSettled: cache.settle,
    }),
    mutationKey: [...changeKey, 'update'],
    scope: { id: `conversation ${conversationId}` },
  });
}
