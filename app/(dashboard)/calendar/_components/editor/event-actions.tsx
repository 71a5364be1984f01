import { useQueryClient } from '@tanstack/react-query';
import { Ellipsis } from 'lucide-react';
import { useState } from 'react';
import { ConfirmDialog } from '@/app/_kit/confirm-dialog';
import { errorFacts } from '@/app/_kit/error-facts';
import { IconButton } from '@/app/_kit/icon-button';
import { Dropdown } from '@/app/_kit/overlay/dropdown';
import { PendingButton } from '@/app/_kit/pending-button';
import { toast } from '@/app/_kit/toast';
import { useDeletion } from '@/app/_kit/use-deletion';
import { useTRPC, useTRPCClient } from '@/app/_trpc/client';
import type { EventRecord, EventStatus } from '@/server/features/calendar/calendar.schema';
import { counted, mailedInvitees } from './event-labels';
import { useStoreEvent, useUpdateEvent } from './event-mutations';
import { useMailQuestion } from './mail-question';
import { useOfferUndo } from './use-offer-undo';

interface EventActionsProps {
  event: EventRecord;
  onCopy: () => void;
  onDeleted: () => void;
}

/** Actions on an event besides editing. Cancelling and deleting explain the effect on calendar and invitees. */
export function EventActions({ event, onCopy, onDeleted }: EventActionsProps) {
  const { ask, dialog } = useMailQuestion();
  const [asking, setAsking] = useState<'cancel' | 'delete' | null>(null);
  const { changeStatus, deleteEvent, download, isPending, isDeleting } = useEventActions(event);
  const invitees = mailedInvitees(event);
  const isCancelled = event.status === 'cancelled';
  const isSeries = event.recurrence !== 'none';
  // Guests would still expect it.
  const asksToDelete = invitees > 0 && !isCancelled;
  const deleteLabel = asksToDelete ? 'Delete…' : 'Delete';

  const askStatus = async (status: EventStatus, stayLabel: string) => {
    const what = status === 'cancelled' ? 'cancelled' : isCancelled ? 'restored' : 'changed';
    const choice = await ask({ title: event.title, invitees, what, isSeries, stayLabel });
    if (choice !== null) changeStatus(status, choice === 'notify');
  };
  const act = (action: unknown) => {
    if (action === 'copy') onCopy();
    else if (action === 'download') void download();
    else if (action === 'tentative') void askStatus('tentative', 'Keep confirmed');
    else if (action === 'confirm') void askStatus('confirmed', 'Keep tentative');
    else if (action === 'cancel' && invitees === 0) setAsking('cancel');
    else if (action === 'cancel') void askStatus('cancelled', 'Keep event');
    else if (action === 'delete') asksToDelete ? setAsking('delete') : deleteEvent(onDeleted);
  };

  return (
    <>
      {isCancelled && (
        <PendingButton
          variant="secondary"
          needs="calendar:write"
          isPending={isPending}
          onPress={() => void askStatus('confirmed', 'Keep canceled')}
        >
          Restore
        </PendingButton>
      )}
      <Dropdown>
        <IconButton size="md" label="More actions" isDisabled={isPending} className="ml-auto">
          <Ellipsis aria-hidden />
        </IconButton>
        <Dropdown.Popover placement="top end" className="w-76">
          <Dropdown.Menu aria-label="More actions" onAction={act}>
            <Dropdown.Item id="copy" needs="calendar:write" textValue="Duplicate">
              Duplicate
            </Dropdown.Item>
            <Dropdown.Item id="download" textValue="Download .ics">
              Download .ics
            </Dropdown.Item>
            {event.status === 'confirmed' && (
              <Dropdown.Item id="tentative" needs="calendar:write" textValue="Mark as tentative">
                Mark as tentative
              </Dropdown.Item>
            )}
            {event.status === 'tentative' && (
              <Dropdown.Item id="confirm" needs="calendar:write" textValue="Confirm">
                Confirm
              </Dropdown.Item>
            )}
            {!isCancelled && (
              <Dropdown.Item id="cancel" needs="calendar:write" textValue={invitees > 0 ? 'Cancel and notify…' : 'Cancel…'}>
                <span className="flex min-w-0 flex-col">
                  {invitees > 0 ? 'Cancel and notify…' : 'Cancel…'}
                  <span className="text-xs text-muted">
                    Keeps it on the calendar, crossed out{invitees > 0 ? `. You can notify ${counted(invitees, 'guest')}` : ''}.
                  </span>
                </span>
              </Dropdown.Item>
            )}
            <Dropdown.Item id="delete" needs="calendar:write" textValue={deleteLabel} variant="danger">
              <span className="flex min-w-0 flex-col">
                {deleteLabel} {asksToDelete && <span className="text-xs text-muted">Guests aren’t notified.</span>}
              </span>
            </Dropdown.Item>
          </Dropdown.Menu>
        </Dropdown.Popover>
      </Dropdown>
      {dialog}
      <ConfirmDialog
        isOpen={asking === 'cancel'}
        onOpenChange={() => setAsking(null)}
        title={`Cancel “${event.title}”?`}
        description={`${isSeries ? 'All events in the series stay on the calendar, crossed out, and no longer block' : 'It stays on the calendar, crossed out, and no longer blocks'} your time. You can restore it later.`}
        confirmLabel="Cancel event"
        cancelLabel="Keep event"
        onConfirm={() => {
          setAsking(null);
          changeStatus('cancelled', false);
        }}
      />
      <ConfirmDialog
        isOpen={asking === 'delete'}
        onOpenChange={() => setAsking(null)}
        title={`Delete “${event.title}”?`}
        description={
          <>
            <p>
              {isSeries ? 'All events in the series are' : 'The event is'} deleted with its responses and reminders. Guests aren’t
              notified. You can restore it for 30 days.
            </p>
            <p className="mt-2">To let {counted(invitees, 'guest')} know, cancel it first.</p>
          </>
        }
        confirmLabel={isSeries ? 'Delete series' : 'Delete event'}
        tone="danger"
        isPending={isDeleting}
        onConfirm={() => deleteEvent(onDeleted)}
      />
    </>
  );
}

/** Downloads a text as a file. */
function saveFile({ filename, content }: { filename: string; content: string }): void {
  const url = URL.createObjectURL(new Blob([content], { type: 'text/calendar;charset=utf-8' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = filename;
  link.click();
  // Revoked later, since the browser needs time to read the URL; never revoking it would keep the text in memory.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/** The mutations behind the actions of a stored event. A failure is shown in a toast, and nothing has changed then. */
function useEventActions(event: EventRecord) {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const queryClient = useQueryClient();
  const storeEvent = useStoreEvent();
  const update = useUpdateEvent();
  const offerUndo = useOfferUndo();
  const remove = useDeletion<{ eventId: string }>({
    what: 'event',
    remove: (key) => client.calendar.delete.mutate(key),
    restore: (key) => client.calendar.restore.mutate(key),
    refresh: (key, change) => {
      // The panel still shows the event while it closes; a refetch would only fail as not found.
      const refetchType = change === 'deleted' ? 'none' : 'active';
      void queryClient.invalidateQueries({ ...trpc.calendar.get.queryFilter(key), refetchType });
      void queryClient.invalidateQueries(trpc.calendar.list.queryFilter());
      void queryClient.invalidateQueries(trpc.calendar.availability.queryFilter());
    },
  });

  const fail = (what: string) => (error: unknown) => {
    const { code, message } = errorFacts(error);
    const isChanged = code === 'precondition_failed';
    toast.error(what, { description: isChanged ? 'This event was changed elsewhere. You now see the latest version.' : message });
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
      {
        onSuccess: ({ event: after }) => {
          storeEvent(after);
          offerUndo({ before: event, after, isNotified: notifies });
        },
        onError: fail('Couldn’t change the event'),
      },
    );

  const deleteEvent = (onDeleted: () => void) => remove.mutate({ key: { eventId: event.id }, name: event.title, onDeleted });

  const download = async () => {
    try {
      saveFile(await queryClient.fetchQuery(trpc.calendar.exportEvent.queryOptions({ eventId: event.id }, { staleTime: 0 })));
    } catch (error) {
      fail('Couldn’t create the file')(error);
    }
  };

  return { changeStatus, deleteEvent, download, isPending: update.isPending, isDeleting: remove.isPending };
}
