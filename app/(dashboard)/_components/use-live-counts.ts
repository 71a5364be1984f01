import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useIsHydrated } from '@/app/_kit/use-is-hydrated';
import { useTRPC } from '@/app/_trpc/client';
import type { LiveCounts } from '@/server/features/conversations/conversation.schema';
import { concernsAll, type IsConcerned } from './live/event-concerns';
import { refreshQueries } from './live/refresh-queries';

/** For what writes no event, and while events can't be followed. */
const fallbackInterval = 15_000;

type Versions = Pick<LiveCounts, 'version' | 'calendarVersion'>;

/** Conversations and emails, but not the counts themselves. */
const ofConversations: IsConcerned = (path) => ['conversations', 'scheduledEmails'].includes(path[0] ?? '') && concernsAll(path);
const ofCalendar: IsConcerned = ([router]) => router === 'calendar';

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
    if (followed.version !== version) refreshQueries(queryClient, ofConversations);
    if (followed.calendarVersion !== calendarVersion) refreshQueries(queryClient, ofCalendar);
  }, [version, calendarVersion, queryClient]);

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
