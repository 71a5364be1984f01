import { useQuery } from '@tanstack/react-query';
import { useIsHydrated } from '@/app/_kit/use-is-hydrated';
import { useTRPC } from '@/app/_trpc/client';

/** For while events can't be followed. */
const fallbackInterval = 60_000;

/** How many notifications the member has not read, up to 100. Refetched after each event that may add one (see event-concerns.ts). */
export function useUnread(): number {
  const trpc = useTRPC();
  const isHydrated = useIsHydrated();
  const { data } = useQuery(
    trpc.notifications.unread.queryOptions({}, { refetchInterval: fallbackInterval, refetchOnWindowFocus: 'always' }),
  );
  return isHydrated ? (data?.unread ?? 0) : 0;
}
