'use client';

import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { useTRPC } from '@/app/_trpc/client';
import type { CustomerRecord } from '@/server/features/customers/customer.schema';

/** Puts a customer that a mutation answered where its page reads it, and lets lists ask again when they are next seen. */
export function useStoreCustomer(): (customer: CustomerRecord) => void {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  return useCallback(
    (customer) => {
      queryClient.setQueryData(trpc.customers.get.queryKey({ id: customer.id }), customer);
      void queryClient.invalidateQueries(trpc.customers.list.queryFilter());
      void queryClient.invalidateQueries(trpc.customers.tags.queryFilter());
    },
    [queryClient, trpc],
  );
}
