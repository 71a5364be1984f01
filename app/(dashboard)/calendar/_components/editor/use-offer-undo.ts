import { errorFacts } from '@/app/_kit/error-facts';
import { toast } from '@/app/_kit/toast';
import { undoToast } from '@/app/_kit/undo-toast';
import type { EventRecord } from '@/server/features/calendar/calendar.schema';
import { useStoreEvent, useUpdateEvent } from './event-mutations';
import { patchOf } from './event-patch';
import { toValues } from './event-values';

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
