import { useMutation, useQueryClient } from '@tanstack/react-query';
import { toast } from '@/app/_kit/toast';
import { undoToast } from '@/app/_kit/undo-toast';
import { useTRPC, useTRPCClient } from '@/app/_trpc/client';
import type { ConversationRecord } from '@/server/features/conversations/conversation.schema';
import { useInbox } from './inbox-context';
import { changeKey, useConversationCache } from './use-conversation-cache';

/** Blocks the other side of a conversation, which becomes spam. */
export function useBlockSender({ id: conversationId, isSpam, counterpart }: ConversationRecord): () => void {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const queryClient = useQueryClient();
  const cache = useConversationCache();
  const { openNext } = useInbox();
  const common = {
    mutationKey: [...changeKey, 'block'],
    scope: { id: `conversation ${conversationId}` },
    onSettled: async () => {
      await queryClient.invalidateQueries(trpc.blockedSenders.pathFilter());
      cache.settle();
    },
  };
  const undo = useMutation({
    ...common,
    mutationFn: async (blockedSenderId: string) => {
      await client.blockedSenders.delete.mutate({ blockedSenderId });
      if (!isSpam) await client.conversations.update.mutate({ conversationId, isSpam });
    },
    onError: (error) => toast.failure('Couldn’t unblock the sender.', error),
  });
  const block = useMutation({
    ...common,
    mutationFn: async () => {
      const blocked = await client.blockedSenders.create.mutate({ sender: counterpart.email });
      await client.conversations.update.mutate({ conversationId, isSpam: true });
      return blocked;
    },
    onSuccess: ({ id, sender }) => {
      undoToast({ message: `${sender} is blocked`, onUndo: () => undo.mutate(id) });
      if (!isSpam) openNext(conversationId);
    },
    onError: (error) => toast.failure('Couldn’t block the sender.', error),
  });
  return block.mutate;
}
