'use client';

import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { alone, useTRPC, useTRPCClient } from '@/app/_trpc/client';
import type { EventRecord } from '@/server/features/events/event.schema';
import { concernedBy, concernsAll, type IsConcerned } from './event-concerns';
import type { ReadLog } from './follow-log';
import { startFeed, subscribeToFeed } from './live-feed';
import { refreshQueries } from './refresh-queries';

interface LiveEventsProps {
  identityId: string;
  /** The end of the event log when the page was made. */
  after: string | undefined;
}

/** Keeps the pages up to date: one waiting request for events, and after each the queries that it concerns. */
export function LiveEvents({ identityId, after: start }: LiveEventsProps) {
  const client = useTRPCClient();
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  // Only as good as the data beside it: a feed that is started again begins at the present.
  const firstStart = useRef(start);

  useEffect(() => {
    const counts = trpc.conversations.pulse.queryFilter();
    const refresh = (isConcerned: IsConcerned) => refreshQueries(queryClient, isConcerned);
    const afterEvents = (events: readonly EventRecord[]) => {
      void queryClient.refetchQueries(counts);
      refresh(concernedBy(events));
    };
    const unsubscribe = subscribeToFeed((notice) => {
      if (notice.kind === 'events') afterEvents(notice.events);
      else if (notice.kind === 'refused') void queryClient.refetchQueries(counts);
      else if (notice.isGap) {
        void queryClient.refetchQueries(counts);
        refresh(concernsAll);
      }
    });
    const read: ReadLog = ({ after, wait }, signal) =>
      client.events.read.query({ after, wait, limit: 100 }, { signal, ...alone });
    const end = startFeed({ identityId, from: firstStart.current, read });
    firstStart.current = undefined;
    return () => {
      end();
      unsubscribe();
    };
  }, [client, trpc, queryClient, identityId]);

  return null;
}
