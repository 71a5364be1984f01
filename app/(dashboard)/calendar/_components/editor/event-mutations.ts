import { useMutation, useQueryClient } from '@tanstack/react-query';
import { errorFacts } from '@/app/_kit/error-facts';
import { toast } from '@/app/_kit/toast';
import { undoToast } from '@/app/_kit/undo-toast';
import { ifMatch, useTRPC, useTRPCClient } from '@/app/_trpc/client';
import type { EventRecord, UpdateEventRequest } from '@/server/features/calendar/calendar.schema';
import { patchOf } from './event-patch';
import { toValues } from './event-values';

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

interface EventChange {
  before: EventRecord;
  after: EventRecord;
  /** Whether guests were notified of it. */
  isNotified: boolean;
}

const messages = { confirmed: 'Event confirmed', tentative: 'Event marked as tentative', cancelled: 'Event canceled' };

/** Offers to undo a change of an event for some seconds. Guests who were notified of it are notified again. */
export function useOfferUndo(): (change: EventChange) => void {
  const update = useUpdateEvent();
  const storeEvent = useStoreEvent();
  const undo = async ({ before, after, isNotified }: EventChange) => {
    const patch = patchOf(toValues(after), toValues(before));
    const notice = isNotified ? { notifyAttendeesOfChanges: true } : {};
    try {
      storeEvent((await update.mutateAsync({ eventId: after.id, ...patch, ...notice, revision: after.revision })).event);
    } catch (error) {
      const isChanged = errorFacts(error).code === 'precondition_failed';
      if (isChanged) toast.error('Couldn’t undo. This event was changed elsewhere.');
      else toast.failure('Couldn’t undo.', error);
    }
  };
  return (change) =>
    undoToast({
      message: change.before.status === change.after.status ? 'Event changed' : messages[change.after.status],
      description: change.after.title,
      id: `event-${change.after.id}`,
      onUndo: () => void undo(change),
    });
}
