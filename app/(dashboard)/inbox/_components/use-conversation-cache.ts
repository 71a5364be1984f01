import { type InfiniteData, type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useTRPC } from '@/app/_trpc/client';
import { holdsPages } from '@/app/_trpc/use-pages';
import type {
  ConversationDetail,
  ConversationList,
  ConversationRecord,
} from '@/server/features/conversations/conversation.schema';

export type ConversationChange = Partial<
  Pick<ConversationRecord, 'isRead' | 'isArchived' | 'isSpam' | 'isTrashed' | 'snoozedUntil' | 'status' | 'assignee'>
>;

/** Changes in progress: all mutations of conversations have a key that begins so. */
export const changeKey = ['change a conversation'];

/** Shows changes of conversations before the server has answered, wherever they are shown. */
export function useConversationCache() {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  return {
    /** Shows a change of one or several conversations at once. */
    async show(conversationIds: string | readonly string[], change: ConversationChange): Promise<void> {
      const ids = [conversationIds].flat();
      const listFilter = { queryKey: trpc.conversations.list.pathKey() };
      const detailKeys = ids.map((conversationId) => trpc.conversations.get.queryKey({ conversationId }));
      await Promise.all(
        [listFilter, ...detailKeys.map((queryKey) => ({ queryKey }))].map((each) => queryClient.cancelQueries(each)),
      );
      queryClient.setQueriesData<InfiniteData<ConversationList>>(
        { ...listFilter, predicate: holdsPages },
        (data) => data && { ...data, pages: data.pages.map((page) => withChange(page, new Set(ids), change)) },
      );
      for (const key of detailKeys)
        queryClient.setQueryData(key, (conversation) => conversation && { ...conversation, ...change });
    },
    /** Takes what the server answered. */
    take(conversation: ConversationDetail, conversationId: string): void {
      queryClient.setQueryData(trpc.conversations.get.queryKey({ conversationId }), conversation);
    },
    /** Fetches everything again, once the last of the changes in progress is done: a response without it would visibly undo it. */
    settle(): void {
      if (isLast(queryClient)) void queryClient.invalidateQueries(trpc.conversations.pathFilter());
    },
  };
}

function isLast(queryClient: QueryClient): boolean {
  return queryClient.isMutating({ mutationKey: changeKey }) <= 1;
}

function withChange(page: ConversationList, ids: ReadonlySet<string>, change: ConversationChange): ConversationList {
  return {
    ...page,
    conversations: page.conversations.map((conversation) =>
      ids.has(conversation.id) ? { ...conversation, ...change } : conversation,
    ),
  };
}
