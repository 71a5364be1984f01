import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useIsHydrated } from '@/app/_kit/use-is-hydrated';
import { useTRPC } from '@/app/_trpc/client';
import type { LiveCounts } from '@/server/features/conversations/conversation.schema';

/** For what writes no event, and while events can't be followed. */
const fallbackInterval = 15_000;

type Versions = Pick<LiveCounts, 'version' | 'calendarVersion'>;

/** The minimum versions of everything in a query cache; shared by all users of the live counts. */
const followedVersions = new WeakMap<QueryClient, Versions>();

/**
 * Live counts and their versions, fetched after each event (see `LiveEvents`), every fifteen seconds while the tab is visible, and
 * when it becomes visible; undefined until the first response. A new version invalidates the page's queries of conversations and mail, or of the calendar. All
 * components that use it share one request.
 */
export function useLiveCounts(): LiveCounts | undefined {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const { data } = useQuery(
    trpc.conversations.pulse.queryOptions(
      {},
      {
        staleTime: 5_000,
        refetchInterval: fallbackInterval,
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
      const [, countsName] = trpc.conversations.pulse.queryKey()[0];
      void queryClient.invalidateQueries({
        ...trpc.conversations.pathFilter(),
        predicate: ({ queryKey }) => (queryKey as readonly [readonly string[]])[0][1] !== countsName,
      });
    }
    if (followed.version !== version) void queryClient.invalidateQueries(trpc.scheduledEmails.pathFilter());
    if (followed.calendarVersion !== calendarVersion) void queryClient.invalidateQueries(trpc.calendar.pathFilter());
  }, [version, calendarVersion, queryClient, trpc]);

  return data;
}

/**
 * The live counts for parts that the server renders without them: undefined until the part is hydrated. React hydrates a page
 * in parts, and a response between two of them would make the second differ from the server's HTML.
 */
export function useHydratedLiveCounts(): LiveCounts | undefined {
  const isHydrated = useIsHydrated();
  const liveCounts = useLiveCounts();
  return isHydrated ? liveCounts : undefined;
}
