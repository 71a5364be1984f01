'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { toast } from '@/app/_kit/toast';
import { useTRPC } from '@/app/_trpc/client';

/** Sends a reply; what is shown of conversations and of the outbox asks again. */
export function useSendReply({ canSend }: { canSend: boolean }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  return useMutation(
    trpc.conversations.reply.mutationOptions({
      onSuccess: () => {
        void queryClient.invalidateQueries(trpc.conversations.pathFilter());
        void queryClient.invalidateQueries(trpc.mail.outbox.pathFilter());
        // Where mail can be sent, the message that appears in the thread says enough.
        if (canSend) return;
        toast('The reply waits in the outbox', {
          description: 'This installation has no mail server to send through: SMTP_URL is not set.',
        });
      },
    }),
  );
}
