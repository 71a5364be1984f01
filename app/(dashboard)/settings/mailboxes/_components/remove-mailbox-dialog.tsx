import { useMutation, useQueryClient } from '@tanstack/react-query';
import { ConfirmDialog } from '@/app/_kit/confirm-dialog';
import { toast } from '@/app/_kit/toast';
import { useTRPC } from '@/app/_trpc/client';
import type { Mailbox } from '@/server/features/mailboxes/mailbox.schema';

interface RemoveMailboxDialogProps {
  mailbox: Mailbox;
  onClose: () => void;
  onRemoved: () => void;
}

/** Asks before a mailbox is disconnected. */
export function RemoveMailboxDialog({ mailbox: { id, address }, onClose, onRemoved }: RemoveMailboxDialogProps) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const remove = useMutation(
    trpc.mailboxes.delete.mutationOptions({
      onSuccess: async () => {
        onRemoved();
        await Promise.all(
          [trpc.mailboxes, trpc.mailboxClients].map((router) => queryClient.invalidateQueries(router.pathFilter())),
        );
      },
      onError: (error) => toast.failure('Couldn’t disconnect the mailbox.', error),
    }),
  );
  return (
    <ConfirmDialog
      isOpen
      onOpenChange={onClose}
      title={`Disconnect ${address}?`}
      description="Its emails that are in the inbox stay. New ones no longer appear here; they stay in the mailbox."
      confirmLabel="Disconnect"
      tone="danger"
      isPending={remove.isPending || remove.isSuccess}
      onConfirm={() => remove.mutate({ mailboxId: id })}
    />
  );
}
