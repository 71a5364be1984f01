import { useMutation, useQueryClient } from '@tanstack/react-query';
import { ConfirmDialog } from '@/app/_kit/confirm-dialog';
import { toast } from '@/app/_kit/toast';
import { useTRPC } from '@/app/_trpc/client';
import { RecoveryCodes } from './recovery-codes';

/** Replaces the recovery codes after a confirmation, and shows the new ones. */
export function NewRecoveryCodes({ onClose }: { onClose: () => void }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const renew = useMutation(
    trpc.twoFactor.renewRecoveryCodes.mutationOptions({
      onSuccess: () => queryClient.invalidateQueries(trpc.twoFactor.status.queryFilter()),
      onError: (error) => toast.failure('Couldn’t create codes.', error),
    }),
  );
  if (renew.data) return <RecoveryCodes title="New recovery codes" codes={renew.data.recoveryCodes} onClose={onClose} />;
  return (
    <ConfirmDialog
      isOpen
      onOpenChange={onClose}
      title="Create new recovery codes?"
      description="You get ten new codes. Your current codes stop working immediately."
      confirmLabel="Create new codes"
      isPending={renew.isPending}
      onConfirm={() => renew.mutate({})}
    />
  );
}
