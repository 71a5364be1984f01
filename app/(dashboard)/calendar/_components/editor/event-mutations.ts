import { useMutation, useQueryClient } from '@tanstack/react-query';
import { ifMatch, useTRPC, useTRPCClient } from '@/app/_trpc/client';
import type { EventRecord, UpdateEventRequest } from '@/server/features/calendar/calendar.schema';

/** Stores an event returned by a mutation in the panel's query, and invalidates the rest of the calendar. */
export function useStoreEvent(): (event: EventRecord) => void {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  return (event) => {
    queryClient.setQueryData(trpc.calendar.get.queryKey({ eventId: event.id }), { event });
    // Includes the event itself: who was mailed is recorded after the response.
    void queryClient.invalidateQueries(trpc.calendar.pathFilter());
  };
}

/** Updates an event if its revision is unchanged; else fails with `precondition_failed`. */
export function useUpdateEvent() {
  const client = useTRPCClient();
  return useMutation({
    mutationFn: ({ revision, ...input }: Omit<UpdateEventRequest, 'ifRevision'> & { revision: number }) =>
      client.calendar.update.mutate(input, ifMatch(revision)),
  });
}
