'use client';

import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useIsHydrated } from '@/app/_kit/use-is-hydrated';
import { useTRPC } from '@/app/_trpc/client';
import type { Pulse } from '@/server/features/conversations/conversation.schema';

const pulseEvery = 5_000;

type Versions = Pick<Pulse, 'version' | 'calendarVersion'>;

/** The versions that everything in a cache is at least as new as; one for all places that follow the pulse. */
const followedVersions = new WeakMap<QueryClient, Versions>();

/**
 * What is new, asked every five seconds while the tab is visible and whenever it becomes so; undefined until the first answer. When
 * any conversation has changed, whatever the page shows of conversations and mail asks again, and the same goes for the calendar.
 * However many components use it, one request is made: an answer resets the timers of all.
 */
export function useLiveCounts(): Pulse | undefined {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const { data } = useQuery(
    trpc.conversations.pulse.queryOptions(
      {},
      {
        staleTime: pulseEvery,
        refetchInterval: pulseEvery,
        refetchIntervalInBackground: false,
        refetchOnWindowFocus: 'always',
      },
    ),
  );
  const version = data?.version;
  const calendarVersion = data?.calendarVersion;

  useEffect(() => {
    if (version === undefined || calendarVersion === undefined) return;
    const followed = followedVersions.get(queryClient);
    followedVersions.set(queryClient, { version, calendarVersion });
    if (followed === undefined) return;
    if (followed.version !== version) {
      const [, pulseName] = trpc.conversations.pulse.queryKey()[0];
      void queryClient.invalidateQueries({
        ...trpc.conversations.pathFilter(),
        predicate: ({ queryKey }) => (queryKey as readonly [readonly string[]])[0][1] !== pulseName,
      });
    }
    if (followed.calendarVersion !== calendarVersion) void queryClient.invalidateQueries(trpc.calendar.pathFilter());
  }, [version, calendarVersion, queryClient, trpc]);

  return data;
}

/**
 * The pulse for what the server renders without it. React takes a page over in parts, and the answer may come between two of them: so
 * nothing is known before the browser has taken over the part at hand, or it would differ from what the server rendered.
 */
export function useHydratedLiveCounts(): Pulse | undefined {
  const isHydrated = useIsHydrated();
  const pulse = useLiveCounts();
  return isHydrated ? pulse : undefined;
}
