import { phaseOf } from '@/server/calendar/phase';
import { spanOf } from '@/server/calendar/recurrence';
import type { Series } from '@/server/calendar/series';
import { localTime } from '@/server/calendar/zones';
import { AppError, invalidFields } from '@/server/errors';

/** @throws AppError with the text of the specification where a time does not end after it starts */
export function checkOrder(startTime: string, endTime: string): void {
  if (Date.parse(endTime) > Date.parse(startTime)) return;
  throw new AppError('invalid_request', 'End time must be after start time', {
    details: { fields: { endTime: 'must be after startTime' } },
  });
}

const day = 24 * 3_600_000;

/**
 * An occurrence may not be forbidden by the end of its own series (contract section 8).
 *
 * @throws AppError invalid_request
 */
export function checkRecurrenceEnd({ start, until, timezone }: Series): void {
  if (until === null || until >= start) return;
  // 00:00 UTC stands for that date as a whole, in the event's time zone.
  const isDate = until % day === 0;
  const firstDate = Math.floor(localTime(start, timezone) / day) * day;
  if (!isDate || until < firstDate) throw invalidFields({ recurrenceEndDate: 'must not be before startTime' });
}

/** What is kept beside the times of an event to find it by (prisma/schema/calendar.prisma). */
export interface IndexedTimes {
  beginsAt: Date;
  overAt: Date | null;
  phase: { from: number; to: number } | null;
}

/** The first moment that dates of four-digit years don't reach. */
const endOfTime = Date.UTC(10_000, 0);

export function indexedTimes(series: Series): IndexedTimes {
  const { start, end } = spanOf(series);
  return {
    beginsAt: new Date(start),
    overAt: end === null || end >= endOfTime ? null : new Date(end),
    phase: series.frequency === 'none' ? null : phaseOf(series),
  };
}
