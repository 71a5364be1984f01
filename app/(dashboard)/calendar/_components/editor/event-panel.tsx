'use client';

import { useQuery } from '@tanstack/react-query';
import { useCallback, useRef, useState } from 'react';
import { Button } from '@/app/_kit/button';
import { ConfirmDialog } from '@/app/_kit/confirm-dialog';
import { errorFacts } from '@/app/_kit/error-facts';
import { ErrorState } from '@/app/_kit/error-state';
import { Sheet, SheetBody, SheetHeader } from '@/app/_kit/overlay/sheet';
import { SkeletonLines } from '@/app/_kit/skeleton-lines';
import { useTRPC } from '@/app/_trpc/client';
import type { EventRecord } from '@/server/features/calendar/calendar.schema';
import { EventEditor } from './event-editor';
import { type EventTimes, type EventValues, newValues, toValues } from './event-values';
import { EventView } from './event-view';
import type { DirtyChange } from './use-save-event';

/** What a new event begins with: where somebody clicked or dragged. */
export interface NewEvent {
  /** ISO 8601 in UTC. */
  startTime: string;
  endTime: string;
  allDay: boolean;
  timezone: string;
  /** Someone asked for what was typed into a new event before. */
  restoresDraft?: boolean;
}

/** What the panel shows: an event (of a series, the occurrence that was opened), or the editor of a new one. */
export type OpenEvent = { kind: 'event'; eventId: string; occurrenceStart: string | null } | { kind: 'new'; draft: NewEvent };

interface EventPanelProps {
  open: OpenEvent | null;
  onClose(): void;
  /** After a new event was saved: the panel shows it. */
  onCreated(eventId: string): void;
}

const idOf = (open: OpenEvent | null) => (open?.kind === 'event' ? open.eventId : (open?.kind ?? null));

/** One event beside the calendar: looked at, changed or made. Asks before it closes on something that is not saved. */
export function EventPanel({ open, onClose, onCreated }: EventPanelProps) {
  // What is shown outlives `open` while the sheet goes, and a new event is a new form each time.
  const [shown, setShown] = useState({ open, last: open, turn: 0 });
  if (shown.open !== open) {
    const isOther = open !== null && (shown.open === null || idOf(open) !== idOf(shown.last));
    setShown({ open, last: open ?? shown.last, turn: shown.turn + (isOther ? 1 : 0) });
  }
  const isDirty = useRef(false);
  const [leave, setLeave] = useState<(() => void) | null>(null);

  const forgetDraft = useRef(() => {});
  const onDirtyChange = useCallback<DirtyChange>((next, forget) => {
    isDirty.current = next;
    forgetDraft.current = forget;
  }, []);
  /** Leaves without asking where nothing would be lost. */
  const leaveThen = useCallback((go: () => void) => {
    if (isDirty.current) setLeave(() => go);
    else go();
  }, []);
  const close = () => leaveThen(onClose);
  const { last, turn } = shown;

  return (
    <>
      <Sheet isOpen={open !== null} onClose={close}>
        {last?.kind === 'event' && (
          <EventPanelContent
            key={turn}
            eventId={last.eventId}
            occurrenceStart={last.occurrenceStart}
            onClose={close}
            onGone={onClose}
            onCreated={onCreated}
            onDirtyChange={onDirtyChange}
            leaveThen={leaveThen}
          />
        )}
        {last?.kind === 'new' && (
          <NewEventEditor
            key={turn}
            draft={last.draft}
            restoresDraft={last.draft.restoresDraft ?? false}
            onClose={close}
            onCreated={onCreated}
            onDirtyChange={onDirtyChange}
          />
        )}
      </Sheet>
      <ConfirmDialog
        isOpen={leave !== null}
        onOpenChange={(isOpen) => {
          if (!isOpen) setLeave(null);
        }}
        title="Leave without saving?"
        description="What you typed about this event is not saved yet and would be lost."
        confirmLabel="Leave without saving"
        cancelLabel="Keep editing"
        tone="danger"
        onConfirm={() => {
          setLeave(null);
          isDirty.current = false;
          forgetDraft.current();
          leave?.();
        }}
      />
    </>
  );
}

interface EventPanelContentProps {
  eventId: string;
  occurrenceStart: string | null;
  onClose: () => void;
  /** The event is no more. */
  onGone: () => void;
  onCreated: (eventId: string) => void;
  onDirtyChange: DirtyChange;
  leaveThen: (go: () => void) => void;
}

/** What the panel does with the event: the version it was opened with stays until the editor is left. */
type Mode =
  | { kind: 'view' }
  | { kind: 'edit'; event: EventRecord; restoresDraft?: boolean }
  | { kind: 'copy'; values: EventValues };

/** A stored event, looked at, changed or copied. */
function EventPanelContent(props: EventPanelContentProps) {
  const { eventId, occurrenceStart, onClose, onGone, onCreated, onDirtyChange, leaveThen } = props;
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
        onCancel={() => leaveThen(showView)}
        onClose={onClose}
        onSaved={({ id }) => (id === eventId ? showView() : onCreated(id))}
        onLoadNewer={(newer) => setMode({ kind: 'edit', event: newer })}
        onDirtyChange={onDirtyChange}
      />
    );
  }
  if (mode.kind === 'copy') {
    return (
      <EventEditor
        event={null}
        latest={null}
        initial={mode.values}
        isCopy
        onCancel={() => leaveThen(showView)}
        onClose={onClose}
        onSaved={({ id }) => onCreated(id)}
        onDirtyChange={onDirtyChange}
      />
    );
  }
  const isGone = error !== null && errorFacts(error).code === 'not_found';
  if (isGone || (error && !event)) {
    return (
      <>
        <SheetHeader title={isGone ? 'This event is gone' : 'Event'} onClose={onClose} />
        <SheetBody>
          {isGone ? (
            <>
              <p>There is no such event, or none any more: it may have been deleted here or elsewhere.</p>
              <Button variant="secondary" className="mt-4" onPress={onClose}>
                Back to the calendar
              </Button>
            </>
          ) : (
            <ErrorState error={error} onRetry={() => void refetch()} title="The event could not be loaded" />
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
          <SkeletonLines lines={8} shape="text" label="Loading the event" />
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
      onCopy={() => setMode({ kind: 'copy', values: copyOf(event) })}
      onDeleted={onGone}
    />
  );
}

/** A copy takes place, whatever became of what it was copied from. */
const copyOf = (event: EventRecord): EventValues => ({ ...toValues(event), status: 'confirmed' });

interface NewEventEditorProps {
  draft: EventTimes;
  /** Begins with what was typed before and not saved. */
  restoresDraft: boolean;
  onClose: () => void;
  onCreated: (eventId: string) => void;
  onDirtyChange: DirtyChange;
}

/** The editor of an event that does not exist yet. */
function NewEventEditor({ draft, restoresDraft, onClose, onCreated, onDirtyChange }: NewEventEditorProps) {
  const [initial] = useState(() => newValues(draft));
  return (
    <EventEditor
      event={null}
      latest={null}
      initial={initial}
      restoresDraft={restoresDraft}
      onCancel={onClose}
      onClose={onClose}
      onSaved={({ id }) => onCreated(id)}
      onDirtyChange={onDirtyChange}
    />
  );
}
