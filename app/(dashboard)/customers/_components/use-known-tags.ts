import { useQuery } from '@tanstack/react-query';
import { useTRPC } from '@/app/_trpc/client';

const none: string[] = [];

/** Tags in use, the most frequent first, as suggestions; empty until loaded. */
export function useKnownTags(): string[] {
  const trpc = useTRPC();
  const { data } = useQuery(trpc.customers.tags.queryOptions({}, { staleTime: 60_000 }));
  return data?.tags ?? none;
}
