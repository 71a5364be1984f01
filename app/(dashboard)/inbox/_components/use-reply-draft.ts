import { useQueryClient } from '@tanstack/react-query';
import { useTRPC, useTRPCClient } from '@/app/_trpc/client';
import { type ComposerDraft, type ComposerDraftOptions, useComposerDraft } from './use-composer-draft';
import { useDraftApi } from './use-draft-api';

type ReplyDraftOptions = Omit<ComposerDraftOptions, 'api' | 'refetch'> & { conversationId: string };

/** Keeps the draft of a reply; see `useComposerDraft`. */
export function useReplyDraft({ conversationId, ...options }: ReplyDraftOptions): ComposerDraft {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const queryClient = useQueryClient();
  const { queryKey } = trpc.conversations.replyDraft.queryOptions({ conversationId });
  const api = useDraftApi({
    conversationId,
    load: async () => (await client.drafts.ofConversation.query({ conversationId })).draft,
    store: (draft) => queryClient.setQueryData(queryKey, (data) => data && { ...data, draft }),
  });
  return useComposerDraft({ ...options, api, refetch: () => void queryClient.invalidateQueries({ queryKey }) });
}
