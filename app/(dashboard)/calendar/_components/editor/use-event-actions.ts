'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { errorFacts } from '@/app/_kit/error-facts';
import { toast } from '@/app/_kit/toast';
import { useTRPC } from '@/app/_trpc/client';
import type { EventRecord, EventStatus } from '@/server/features/calendar/calendar.schema';
import { useStoreEvent, useUpdateEvent } from './event-mutations';

/** Gives the browser a text to keep as a file. */
function saveFile({ filename, content }: { filename: string; content: string }): void {
  const url = URL.createObjectURL(new Blob([content], { type: 'text/calendar;charset=utf-8' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = filename;
  link.click();
  // The browser has taken the address by then; without this, the text stays in memory for as long as the page.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/** What can be done with a stored event besides editing it. Failures are told in a toast; nothing has changed then. */
export function useEventActions(event: EventRecord) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const storeEvent = useStoreEvent();
  const update = useUpdateEvent();
  const remove = useMutation(trpc.calendar.delete.mutationOptions());

  const fail = (what: string) => (error: unknown) => {
    const { code, message } = errorFacts(error);
    const isChanged = code === 'precondition_failed';
    toast.error(what, { description: isChanged ? 'This event was changed in the meantime.' : message });
    if (isChanged || code === 'not_found') void queryClient.invalidateQueries(trpc.calendar.pathFilter());
  };

  const changeStatus = (status: EventStatus, notifies: boolean) =>
    update.mutate(
      {
        eventId: event.id,
        status,
        revision: event.revision,
        ...(notifies ? { notifyAttendeesOfChanges: true } : {}),
      },
      { onSuccess: (answer) => storeEvent(answer.event), onError: fail('The event stays as it was') },
    );

  const deleteEvent = (onDeleted: () => void) =>
    remove.mutate(
      { eventId: event.id },
      {
        onSuccess: () => {
          // While the panel goes it still shows the event; asked for again, it would only be found gone.
          void queryClient.invalidateQueries({ ...trpc.calendar.get.queryFilter({ eventId: event.id }), refetchType: 'none' });
          void queryClient.invalidateQueries(trpc.calendar.list.queryFilter());
          void queryClient.invalidateQueries(trpc.calendar.availability.queryFilter());
          toast(`“${event.title}” was deleted`);
          onDeleted();
        },
        onError: fail('The event was not deleted'),
      },
    );

  const download = async () => {
    try {
      saveFile(await queryClient.fetchQuery(trpc.calendar.exportEvent.queryOptions({ eventId: event.id }, { staleTime: 0 })));
    } catch (error) {
      fail('The file could not be made')(error);
    }
  };

  return { changeStatus, deleteEvent, download, isPending: update.isPending, isDeleting: remove.isPending };
}
