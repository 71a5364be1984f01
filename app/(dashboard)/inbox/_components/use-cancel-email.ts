import { useMutation, useQueryClient } from '@tanstack/react-query';
import { toast } from '@/app/_kit/toast';
import { useTRPC } from '@/app/_trpc/client';
import { useInbox } from './inbox-context';

/** Refreshes what shows emails that are not sent, or not any more. */
export function useRefreshEmails() {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  return () => {
    void queryClient.invalidateQueries(trpc.conversations.pathFilter());
    void queryClient.invalidateQueries(trpc.drafts.list.pathFilter());
    void queryClient.invalidateQueries(trpc.scheduledEmails.pathFilter());
    void queryClient.invalidateQueries(trpc.mail.outbox.pathFilter());
  };
}

/** Cancels an email that is not sent yet, and opens its draft. */
export function useCancelEmail() {
  const trpc = useTRPC();
  const refresh = useRefreshEmails();
  const { open, write } = useInbox();
  return useMutation(
    trpc.scheduledEmails.cancel.mutationOptions({
      onSuccess: ({ draft }) => {
        refresh();
        if (draft.conversationId === null) write({ draft: draft.id });
        else open(draft.conversationId);
      },
      onError: (error) => {
        refresh();
        toast.failure('The email was not cancelled.', error);
      },
    }),
  );
}
