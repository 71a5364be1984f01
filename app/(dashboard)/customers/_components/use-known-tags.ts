'use client';

import { useQueryClient } from '@tanstack/react-query';
import { useTRPC } from '@/app/_trpc/client';
import type { CustomerList } from '@/server/modules/customers/customer.schema';

/** Tags on the customers looked at so far in this visit, the most frequent first; good enough to suggest some. */
export function useKnownTags(): string[] {
  const queryClient = useQueryClient();
  const trpc = useTRPC();
  const counts = new Map<string, number>();
  for (const [, list] of queryClient.getQueriesData<CustomerList>(trpc.customers.list.queryFilter())) {
    for (const tag of list?.customers.flatMap((customer) => customer.tags) ?? []) counts.set(tag, (counts.get(tag) ?? 0) + 1);
  }
  return [...counts].sort(([a, many], [b, few]) => few - many || a.localeCompare(b)).map(([tag]) => tag);
}
