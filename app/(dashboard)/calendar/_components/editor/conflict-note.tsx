import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { TriangleAlert } from 'lucide-react';
import { useFormContext, useWatch } from 'react-hook-form';
import { useDebounced } from '@/app/_kit/use-debounced';
import { useDateLocale } from '@/app/_kit/viewer-format';
import { useTRPC } from '@/app/_trpc/client';
import type { Conflict } from '@/server/features/calendar/availability.schema';
import { viewerZone } from '../zone-clock';
import { conflictTimes } from './event-labels';
import { type EventValues, momentsOf } from './event-values';

const shownConflicts = 3;
const settleMilliseconds = 400;

/** Other events at the entered time. It warns and never prevents saving. */
export function ConflictNote({ eventId }: { eventId: string | null }) {
  const trpc = useTRPC();
  const { control } = useFormContext<EventValues>();
  const values = useWatch({ control }) as EventValues;
  const { start, end } = momentsOf(values);
  const isRange = start !== null && end !== null && end > start && values.status !== 'cancelled';
  const typed = isRange ? `${new Date(start).toISOString()} ${new Date(end).toISOString()}` : '';
  const [startTime = '', endTime = ''] = useDebounced(typed, settleMilliseconds).split(' ');
  const { data } = useQuery(
    trpc.calendar.availability.queryOptions(
      { startTime, endTime, ...(eventId === null ? {} : { excludeEventId: eventId }) },
      { enabled: startTime !== '', placeholderData: keepPreviousData, staleTime: 0 },
    ),
  );
  const conflicts = startTime !== '' && isRange ? (data?.conflicts ?? []) : [];
  const rest = conflicts.length - shownConflicts;

  return (
    <div aria-live="polite" className="empty:-mt-5">
      {conflicts.length > 0 && (
        <div className="flex gap-2 rounded-md bg-warning-soft px-3 py-2 text-warning-text">
          <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
          <div className="min-w-0">
            <p className="font-medium">{conflicts.length === 1 ? 'Conflicts with 1 event' : 'Conflicts with other events'}</p>
            <ul className="text-label">
              {conflicts.slice(0, shownConflicts).map((conflict) => (
                <ConflictLine key={`${conflict.id} ${conflict.startTime}`} conflict={conflict} />
              ))}
            </ul>
            {rest > 0 && <p className="text-label">and {data?.hasMore ? `over ${rest}` : rest} more</p>}
            {values.recurrence !== 'none' && <p className="mt-1 text-label">Only the first event was checked for conflicts.</p>}
          </div>
        </div>
      )}
    </div>
  );
}

function ConflictLine({ conflict }: { conflict: Conflict }) {
  const times = conflictTimes(conflict, { timeZone: viewerZone(), locale: useDateLocale() });
  return (
    <li className="flex min-w-0 gap-1" title={`${conflict.title}, ${times}`}>
      <span className="truncate">{conflict.title},</span>
      <span className="shrink-0">{times}</span>
    </li>
  );
}
