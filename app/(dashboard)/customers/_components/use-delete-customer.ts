import { useQueryClient } from '@tanstack/react-query';
import { useDeletion } from '@/app/_kit/use-deletion';
import { useTRPC, useTRPCClient } from '@/app/_trpc/client';
import type { CustomerRecord } from '@/server/features/customers/customer.schema';
import { customerName } from './customer-name';

/** Deletes a customer, and offers to undo it. */
export function useDeleteCustomer() {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const queryClient = useQueryClient();
  const { mutate, isPending } = useDeletion<{ id: string }>({
    what: 'customer',
    remove: (key) => client.customers.delete.mutate(key),
    restore: (key) => client.customers.restore.mutate(key),
    refresh: (key, change) => {
      // Its own page is being left, and must not show the customer again after going back.
      const refetchType = change === 'deleted' ? 'none' : 'active';
      void queryClient.invalidateQueries({ ...trpc.customers.get.queryFilter(key), refetchType });
      void queryClient.invalidateQueries(trpc.customers.list.queryFilter());
    },
  });
  const deleteCustomer = (customer: CustomerRecord, onDeleted?: () => void) =>
    mutate({ key: { id: customer.id }, name: customerName(customer), onDeleted });
  return { deleteCustomer, isPending };
}
