'use client';

import { useQuery } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import { Button } from '@/app/_kit/button';
import { errorFacts } from '@/app/_kit/error-facts';
import { ErrorState } from '@/app/_kit/error-state';
import { SheetBody, SheetHeader } from '@/app/_kit/overlay/sheet';
import { SkeletonLines } from '@/app/_kit/skeleton-lines';
import { useTRPC } from '@/app/_trpc/client';
import type { EventRecord } from '@/server/features/calendar/calendar.schema';
import { EventEditor } from './event-editor';
import { type EventValues, toValues } from './event-values';
import { EventView } from './event-view';
import type { DirtyChange } from './use-save-event';

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
export function EventPanelContent(props: EventPanelContentProps) {
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
