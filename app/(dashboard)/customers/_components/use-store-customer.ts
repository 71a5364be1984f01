import { useQueryClient } from '@tanstack/react-query';
import { useTRPC } from '@/app/_trpc/client';
import type { CustomerRecord } from '@/server/features/customers/customer.schema';

/** Stores a customer returned by a mutation in the page's query, and invalidates the lists. */
export function useStoreCustomer(): (customer: CustomerRecord) => void {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  return (customer) => {
    queryClient.setQueryData(trpc.customers.get.queryKey({ id: customer.id }), customer);
    void queryClient.invalidateQueries(trpc.customers.list.queryFilter());
    void queryClient.invalidateQueries(trpc.customers.tags.queryFilter());
  };
}
