import { useQuery } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import { Button } from '@/app/_kit/button';
import { errorFacts } from '@/app/_kit/error-facts';
import { ErrorState } from '@/app/_kit/error-state';
import { HistoryLink } from '@/app/_kit/history-link';
import { Sheet, SheetBody, SheetHeader } from '@/app/_kit/overlay/sheet';
import { SkeletonLines } from '@/app/_kit/skeleton-lines';
import { leavePage } from '@/app/_kit/unsaved-changes';
import { useTRPC } from '@/app/_trpc/client';
import type { EventRecord } from '@/server/features/calendar/calendar.schema';
import { EventEditor } from './event-editor';
import { type EventValues, newValues, toValues } from './event-values';
import { EventView } from './event-view';

/** Initial values of a new event: where the user clicked or dragged. */
export interface NewEvent {
  /** ISO 8601 in UTC. */
  startTime: string;
  endTime: string;
  allDay: boolean;
  timezone: string;
  /** True if the user asked to restore an earlier draft. */
  restoresDraft?: boolean;
}

/** Content of the panel: an event (for a series, the opened occurrence), or the editor of a new one. */
export type OpenEvent = { kind: 'event'; eventId: string; occurrenceStart: string | null } | { kind: 'new'; draft: NewEvent };

interface EventPanelProps {
  open: OpenEvent | null;
  onClose(): void;
  /** Called after a new event was saved. */
  onCreated(event: EventRecord): void;
  /** Called after the open event was changed. */
  onChanged(event: EventRecord): void;
}

const idOf = (open: OpenEvent | null) => (open?.kind === 'event' ? open.eventId : (open?.kind ?? null));

/** Shows, edits or creates one event beside the calendar. Asks before it discards unsaved changes. */
export function EventPanel({ open, onClose, onCreated, onChanged }: EventPanelProps) {
  // The content outlives `open` during the exit animation, and each new event gets a fresh form.
  const [shown, setShown] = useState({ open, last: open, turn: 0 });
  if (shown.open !== open) {
    const isOther = open !== null && (shown.open === null || idOf(open) !== idOf(shown.last));
    setShown({ open, last: open ?? shown.last, turn: shown.turn + (isOther ? 1 : 0) });
  }
  // The editor's guard asks if something would be lost.
  const close = () => leavePage(onClose);
  const { last, turn } = shown;

  return (
    <Sheet isOpen={open !== null} onClose={close}>
      {last?.kind === 'event' && (
        <EventPanelContent
          key={turn}
          eventId={last.eventId}
          occurrenceStart={last.occurrenceStart}
          onClose={close}
          onGone={onClose}
          onCreated={onCreated}
          onChanged={onChanged}
        />
      )}
      {last?.kind === 'new' && (
        <NewEventEditor
          key={turn}
          values={() => newValues(last.draft)}
          restoresDraft={last.draft.restoresDraft ?? false}
          onCancel={close}
          onClose={close}
          onCreated={onCreated}
        />
      )}
    </Sheet>
  );
}

interface EventPanelContentProps {
  eventId: string;
  occurrenceStart: string | null;
  onClose: () => void;
  /** The event was deleted. */
  onGone: () => void;
  onCreated: (event: EventRecord) => void;
  onChanged: (event: EventRecord) => void;
}

/** The panel's mode. While editing, it keeps the version that the editor was opened with. */
type Mode =
  | { kind: 'view' }
  | { kind: 'edit'; event: EventRecord; restoresDraft?: boolean }
  | { kind: 'copy'; event: EventRecord };

/** A stored event: view, editor or copy. */
function EventPanelContent(props: EventPanelContentProps) {
  const { eventId, occurrenceStart, onClose, onGone, onCreated, onChanged } = props;
  const trpc = useTRPC();
  const { data, error, refetch } = useQuery(trpc.calendar.get.queryOptions({ eventId }));
  const [mode, setMode] = useState<Mode>({ kind: 'view' });
  const showView = useCallback(() => setMode({ kind: 'view' }), []);
  const event = data?.event;

  if (mode.kind === 'edit') {
    return (
      <EventEditor
        key={mode.event.revision}
        event={mode.event}
        latest={event ?? null}
        initial={toValues(mode.event)}
        restoresDraft={mode.restoresDraft ?? false}
        onCancel={() => leavePage(showView)}
        onClose={onClose}
        onSaved={(saved) => {
          // If the event has been deleted since, it is saved as a new one.
          if (saved.id !== eventId) return onCreated(saved);
          showView();
          onChanged(saved);
        }}
        onLoadNewer={(newer) => setMode({ kind: 'edit', event: newer })}
      />
    );
  }
  if (mode.kind === 'copy') {
    return (
      <NewEventEditor
        values={() => ({ ...toValues(mode.event), status: 'confirmed' })}
        isCopy
        onCancel={() => leavePage(showView)}
        onClose={onClose}
        onCreated={onCreated}
      />
    );
  }
  const isGone = error !== null && errorFacts(error).code === 'not_found';
  if (isGone || (error && !event)) {
    return (
      <>
        <SheetHeader title={isGone ? 'Event not found' : 'Event'} onClose={onClose} />
        <SheetBody>
          {isGone ? (
            <>
              <p>It may have been deleted.</p>
              <p className="mt-4 flex flex-wrap items-center gap-4">
                <Button variant="secondary" onPress={onClose}>
                  Back to calendar
                </Button>
                <HistoryLink id={eventId} subject="this event" />
              </p>
            </>
          ) : (
            <ErrorState error={error} onRetry={() => void refetch()} title="Couldn’t load the event" />
          )}
        </SheetBody>
      </>
    );
  }
  if (!event) {
    return (
      <>
        <SheetHeader title="Event" onClose={onClose} />
        <SheetBody>
          <SkeletonLines lines={8} shape="text" label="Loading event" />
        </SheetBody>
      </>
    );
  }
  return (
    <EventView
      event={event}
      occurrenceStart={occurrenceStart}
      onRestore={() => setMode({ kind: 'edit', event, restoresDraft: true })}
      onClose={onClose}
      onEdit={() => setMode({ kind: 'edit', event })}
      onCopy={() => setMode({ kind: 'copy', event })}
      onDeleted={onGone}
    />
  );
}

interface NewEventEditorProps {
  /** Its initial values; a copy is always confirmed, whatever the status of the original. */
  values: () => EventValues;
  isCopy?: boolean;
  /** Starts from the unsaved draft. */
  restoresDraft?: boolean;
  onCancel: () => void;
  onClose: () => void;
  onCreated: (event: EventRecord) => void;
}

/** The editor of a new event. */
function NewEventEditor({ values, onCreated, ...props }: NewEventEditorProps) {
  const [initial] = useState(values);
  return <EventEditor event={null} latest={null} initial={initial} onSaved={onCreated} {...props} />;
}
