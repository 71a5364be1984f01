import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useTRPC } from '@/app/_trpc/client';
import type { Home } from '@/server/features/home/home.schema';
import { useLiveCounts } from '../use-live-counts';

/** For what the pulse does not tell of: usage, agents, drafts, and events that are over by now. */
const refreshEvery = 60_000;

const stampOf = ({ version, calendarVersion, failedMails, quarantined }: Home['pulse']) =>
  [version, calendarVersion, failedMails, quarantined].join(' ');

/** What needs the owner, asked again whenever the pulse says that something has changed; and how far the first steps are. */
export function useHome() {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const pulse = useLiveCounts();
  const home = useQuery(trpc.home.get.queryOptions({}, { refetchInterval: refreshEvery }));
  const firstSteps = useQuery(trpc.home.firstSteps.queryOptions({}));
  const shown = home.data && stampOf(home.data.pulse);
  const current = pulse && stampOf(pulse);
  // Once for each state: where Home is ahead of the pulse, asking again and again would not make them agree.
  const followed = useRef<string>(undefined);

  useEffect(() => {
    if (!shown || !current || shown === current || followed.current === current) return;
    followed.current = current;
    void queryClient.invalidateQueries(trpc.home.pathFilter());
  }, [shown, current, queryClient, trpc]);

  return { home, firstSteps };
}
