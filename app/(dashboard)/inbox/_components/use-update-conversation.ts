import { type InfiniteData, useMutation, useQueryClient } from '@tanstack/react-query';
import { toast } from '@/app/_kit/toast';
import { useTRPC } from '@/app/_trpc/client';
import { holdsPages } from '@/app/_trpc/use-pages';
import type { ConversationList, ConversationRecord } from '@/server/features/conversations/conversation.schema';

type Change = Partial<Pick<ConversationRecord, 'isRead' | 'isArchived' | 'isSpam' | 'status' | 'assignee'>>;

/** Updates a conversation optimistically wherever it is shown; `failure` is the beginning of the error message. */
export function useUpdateConversation(failure: string) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  return useMutation(
    trpc.conversations.update.mutationOptions({
      onMutate: async ({ conversationId, seenUntil: _, ...change }) => {
        const known = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined)) as Change;
        const listFilter = { queryKey: trpc.conversations.list.pathKey() };
        const detailKey = trpc.conversations.get.queryKey({ conversationId });
        await Promise.all([queryClient.cancelQueries(listFilter), queryClient.cancelQueries({ queryKey: detailKey })]);
        queryClient.setQueriesData<InfiniteData<ConversationList>>(
          { ...listFilter, predicate: holdsPages },
          (data) => data && { ...data, pages: data.pages.map((page) => withChange(page, conversationId, known)) },
        );
        queryClient.setQueryData(detailKey, (conversation) => conversation && { ...conversation, ...known });
      },
      onSuccess: (conversation, { conversationId }) => {
        queryClient.setQueryData(trpc.conversations.get.queryKey({ conversationId }), conversation);
      },
      onError: (error) => toast.failure(failure, error),
      onSettled: () => {
        // While another change is pending, a refetched response without it would visibly undo it.
        if (queryClient.isMutating({ mutationKey: trpc.conversations.update.mutationKey() }) > 1) return;
        void queryClient.invalidateQueries(trpc.conversations.pathFilter());
      },
    }),
  );
}

function withChange(page: ConversationList, id: string, change: Change): ConversationList {
  return {
    ...page,
    conversations: page.conversations.map((conversation) =>
      conversation.id === id ? { ...conversation, ...change } : conversation,
    ),
  };
}
