'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { ConfirmDialog } from '@/app/_kit/confirm-dialog';
import { errorFacts } from '@/app/_kit/error-facts';
import { toast } from '@/app/_kit/toast';
import { useTRPC } from '@/app/_trpc/client';

/** Asks before signing in needs only the password again. */
export function TurnOffTwoFactorDialog({ onClose }: { onClose: () => void }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const disable = useMutation(
    trpc.twoFactor.disable.mutationOptions({
      onSuccess: async () => {
        await queryClient.invalidateQueries(trpc.twoFactor.status.queryFilter());
        toast('Two-factor sign-in is off');
        onClose();
      },
      onError: (error) => toast.error(`Two-factor sign-in is still on. ${errorFacts(error).message}`),
    }),
  );
  return (
    <ConfirmDialog
      isOpen
      onOpenChange={onClose}
      title="Turn off two-factor sign-in?"
      description="Signing in will need only your password, and other browsers are signed out. Your recovery codes stop working, and the entry in your authenticator app can be deleted."
      confirmLabel="Turn off"
      tone="danger"
      isPending={disable.isPending}
      onConfirm={() => disable.mutate({})}
    />
  );
}
