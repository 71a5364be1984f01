'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { ifMatch, useTRPC, useTRPCClient } from '@/app/_trpc/client';
import type { EventRecord, UpdateEventRequest } from '@/server/features/calendar/calendar.schema';

/** Puts an event that a mutation answered where the panel reads it, and lets everything of the calendar ask again. */
export function useStoreEvent(): (event: EventRecord) => void {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  return useCallback(
    (event) => {
      queryClient.setQueryData(trpc.calendar.get.queryKey({ eventId: event.id }), { event });
      // The event too: who was mailed by the change is noted after the answer was made.
      void queryClient.invalidateQueries(trpc.calendar.pathFilter());
    },
    [queryClient, trpc],
  );
}

/** Changes an event that is still at this revision; else it fails with `precondition_failed`. */
export function useUpdateEvent() {
  const client = useTRPCClient();
  return useMutation({
    mutationFn: ({ revision, ...input }: Omit<UpdateEventRequest, 'ifRevision'> & { revision: number }) =>
      client.calendar.update.mutate(input, ifMatch(revision)),
  });
}
