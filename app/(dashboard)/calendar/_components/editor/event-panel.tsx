'use client';

import { useCallback, useRef, useState } from 'react';
import { ConfirmDialog } from '@/app/_kit/confirm-dialog';
import { Sheet } from '@/app/_kit/overlay/sheet';
import { EventPanelContent } from './event-panel-content';
import { NewEventEditor } from './new-event-editor';
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
  /** After a new event was saved: the panel goes on with it. */
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
  /** Goes on at once where nothing would be lost. */
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
