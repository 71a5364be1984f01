'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { ConfirmDialog } from '@/app/_kit/confirm-dialog';
import { errorFacts } from '@/app/_kit/error-facts';
import { toast } from '@/app/_kit/toast';
import { useTRPC } from '@/app/_trpc/client';
import { browsersWords } from './session-words';

/** Asks before every other browser is signed out. */
export function EndOthersDialog({ others, onClose }: { others: number; onClose: () => void }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const end = useMutation(
    trpc.account.endOtherSessions.mutationOptions({
      onSuccess: async ({ ended }) => {
        await queryClient.invalidateQueries(trpc.account.sessions.queryFilter());
        toast(`${browsersWords(ended)} signed out`);
        onClose();
      },
      onError: (error) => toast.error(`No session was ended. ${errorFacts(error).message}`),
    }),
  );
  return (
    <ConfirmDialog
      isOpen
      onOpenChange={onClose}
      title="End all other sessions?"
      description={`${browsersWords(others)} will be signed out at the next click. What is typed there and not saved is lost. You stay signed in here.`}
      confirmLabel="End other sessions"
      tone="danger"
      isPending={end.isPending}
      onConfirm={() => end.mutate({})}
    />
  );
}
