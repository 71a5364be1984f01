'use client';

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { errorFacts } from '@/app/_kit/error-facts';
import { toast } from '@/app/_kit/toast';
import { useTRPC } from '@/app/_trpc/client';
import type { CalendarFeed } from '@/server/features/calendar/calendar-feed.schema';

/** The secret address of the business' calendar, and what can be done with it. */
export function useFeed({ enabled }: { enabled: boolean }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const feed = useQuery({ ...trpc.calendar.feed.queryOptions({}), enabled });
  const show = (now: CalendarFeed) => queryClient.setQueryData(trpc.calendar.feed.queryKey({}), now);
  const renew = useMutation(
    trpc.calendar.renewFeed.mutationOptions({
      onSuccess: show,
      onError: (error) => toast.error(`No address was made. ${errorFacts(error).message}`),
    }),
  );
  const revoke = useMutation(
    trpc.calendar.revokeFeed.mutationOptions({
      onSuccess: show,
      onError: (error) => toast.error(`The address was not turned off. ${errorFacts(error).message}`),
    }),
  );
  return { feed, renew, revoke };
}
