import { useQuery } from '@tanstack/react-query';
import { usePermission } from '@/app/_kit/use-permission';
import { useTRPC } from '@/app/_trpc/client';

/** All types of events with their descriptions, for who may see webhooks. They change with a release only. */
export function useEventTypes() {
  const trpc = useTRPC();
  const { isAllowed } = usePermission('webhooks:read');
  return useQuery(trpc.webhooks.eventTypes.queryOptions({}, { enabled: isAllowed, staleTime: Number.POSITIVE_INFINITY }));
}
