import { useMutation, useQueryClient } from '@tanstack/react-query';
import { ConfirmDialog } from '@/app/_kit/confirm-dialog';
import { toast } from '@/app/_kit/toast';
import { useTRPC } from '@/app/_trpc/client';
import type { CustomerRecord } from '@/server/features/customers/customer.schema';
import { customerName } from './customer-name';

interface DeleteCustomerDialogProps {
  customer: CustomerRecord;
  isOpen: boolean;
  onOpenChange: (isOpen: boolean) => void;
  /** Called after the deletion, before any query is refetched. */
  onDeleted?: () => void;
}

/** Asks before a customer is permanently deleted. */
export function DeleteCustomerDialog({ customer, isOpen, onOpenChange, onDeleted }: DeleteCustomerDialogProps) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const name = customerName(customer);
  const contacts = customer.contacts.length;
  const remove = useMutation(
    trpc.customers.delete.mutationOptions({
      onSuccess: async () => {
        onOpenChange(false);
        onDeleted?.();
        toast('Customer deleted', { description: name });
        // Its own page is being left, and must not show the customer again after going back.
        await queryClient.invalidateQueries({ ...trpc.customers.get.queryFilter({ id: customer.id }), refetchType: 'none' });
        await queryClient.invalidateQueries(trpc.customers.list.queryFilter());
      },
      onError: (error) => toast.failure(`Couldn’t delete ${name}.`, error),
    }),
  );
  return (
    <ConfirmDialog
      isOpen={isOpen}
      onOpenChange={onOpenChange}
      title={`Delete ${name}?`}
      description={
        <>
          Company, phone, tags, notes and custom fields are permanently deleted.{' '}
          {contacts === 1 ? 'The contact’s' : 'The contacts’'} emails and events are kept.
        </>
      }
      confirmLabel="Delete customer"
      tone="danger"
      isPending={remove.isPending}
      onConfirm={() => remove.mutate({ id: customer.id })}
    />
  );
}
