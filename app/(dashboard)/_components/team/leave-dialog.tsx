import { useMutation } from '@tanstack/react-query';
import { ConfirmDialog } from '@/app/_kit/confirm-dialog';
import { toast } from '@/app/_kit/toast';
import { useTRPC } from '@/app/_trpc/client';

/** Asks before the signed-in person gives up their own access. */
export function LeaveDialog({ onClose }: { onClose: () => void }) {
  const trpc = useTRPC();
  const leave = useMutation(
    trpc.members.leave.mutationOptions({
      // A full load: nothing of the business may stay in memory.
      onSuccess: () => window.location.assign('/'),
      onError: (error) => toast.failure('Couldn’t leave the business.', error),
    }),
  );
  return (
    <ConfirmDialog
      isOpen
      onOpenChange={onClose}
      title="Leave this business?"
      description="You lose access immediately. Your account and your other businesses stay. To come back, someone has to invite you again."
      confirmLabel="Leave"
      tone="danger"
      isPending={leave.isPending || leave.isSuccess}
      onConfirm={() => leave.mutate({})}
    />
  );
}
