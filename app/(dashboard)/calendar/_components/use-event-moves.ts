import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { errorFacts } from '@/app/_kit/error-facts';
import { toast } from '@/app/_kit/toast';
import { undoToast } from '@/app/_kit/undo-toast';
import { useTRPC } from '@/app/_trpc/client';
import type { EventItem, EventRecord } from '@/server/features/calendar/calendar.schema';
import { mailedInvitees } from './editor/event-labels';
import { useUpdateEvent } from './editor/event-mutations';
import { useMailQuestion } from './editor/mail-question';
import { type EventMove, isOutdated, movedMessage, moveFailure } from './event-moves';
import { type EventSpan, timesAfterMove } from './event-span';

/**
 * Applies a drag: shows it, asks if people would be mailed or all dates of a series move, stores it and offers to undo it.
 * `moves` are those that the server's list does not include yet.
 */
export function useEventMoves() {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const { mutateAsync: update } = useUpdateEvent();
  const { ask, dialog } = useMailQuestion();
  const [moves, setMoves] = useState<readonly EventMove[]>([]);
  // Moves run in sequence, so that a second drag of an event builds on the first.
  const queue = useRef<Promise<void>>(Promise.resolve());

  /** Shows the move while `work` runs, and until the list includes it. */
  const run = (move: EventMove, work: () => Promise<void>) => {
    setMoves((before) => [...before, move]);
    queue.current = queue.current.then(async () => {
      try {
        await work();
      } catch (error) {
        // Replaces the toast of the move, since there is nothing left to undo.
        toast.error(moveFailure(errorFacts(error)), { id: `event-${move.eventId}`, action: undefined });
      }
      await queryClient.invalidateQueries(trpc.calendar.pathFilter());
      setMoves((before) => before.filter((other) => other !== move));
    });
  };

  const store = async (event: EventRecord, move: EventMove) => {
    const invitees = mailedInvitees(event);
    const isSeries = event.recurrence !== 'none';
    const choice = await ask({ title: event.title, invitees, what: 'moved', isSeries });
    if (choice === null) return;
    const notice = choice === 'notify' ? { notifyAttendeesOfChanges: true } : {};
    const eventId = event.id;
    const stored = await update({ eventId, ...timesAfterMove(event, move.from, move.to), revision: event.revision, ...notice });
    undoToast({
      ...movedMessage(event, move, choice === 'notify' ? invitees : 0),
      id: `event-${eventId}`,
      onUndo: () =>
        run({ eventId, from: move.to, to: move.from }, async () => {
          const { startTime, endTime, allDay } = event;
          await update({ eventId, startTime, endTime, allDay, revision: stored.event.revision, ...notice });
        }),
    });
  };

  const move = (item: EventItem, from: EventSpan, to: EventSpan) => {
    const moved = { eventId: item.id, from, to };
    run(moved, async () => {
      const query = trpc.calendar.get.queryOptions({ eventId: item.id }, { staleTime: 0 });
      const { event } = await queryClient.fetchQuery(query);
      if (isOutdated(item, event)) toast.error(moveFailure({ code: 'precondition_failed', message: '' }));
      else await store(event, moved);
    });
  };

  return { moves, move, dialog };
}
