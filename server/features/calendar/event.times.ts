import { AppError, invalidFields } from '@/server/platform/errors';
import { phaseOf } from '@/server/platform/ical/phase';
import { spanOf } from '@/server/platform/ical/recurrence';
import type { Series } from '@/server/platform/ical/series';
import { zoneData } from '@/server/platform/ical/zone-data';
import { localTime } from '@/server/platform/ical/zones';

/** @throws AppError with the specification's message if the end is not after the start */
export function checkOrder(startTime: string, endTime: string): void {
  if (Date.parse(endTime) > Date.parse(startTime)) return;
  throw new AppError('invalid_request', 'End time must be after start time', {
    details: { fields: { endTime: 'must be after startTime' } },
  });
}

const day = 24 * 3_600_000;

/**
 * The end of a series must not exclude its first occurrence (contract section 8). Stored ends of non-recurring events are
 * ignored.
 *
 * @throws AppError invalid_request
 */
export function checkRecurrenceEnd({ start, until, timezone, frequency }: Series): void {
  if (frequency === 'none' || until === null || until >= start) return;
  // 00:00 UTC means that whole date, in the event's time zone.
  const isDate = until % day === 0;
  const firstDate = Math.floor(localTime(start, timezone) / day) * day;
  if (!isDate || until < firstDate) throw invalidFields({ recurrenceEndDate: 'must not be before startTime' });
}

/** The first moment beyond dates with four-digit years. */
const endOfTime = Date.UTC(10_000, 0);

/** The columns of the search indexes. */
export function indexColumns(series: Series): Record<string, unknown> {
  const { start, end } = spanOf(series);
  const phase = series.frequency === 'none' ? null : phaseOf(series);
  return {
    begins_at: new Date(start),
    over_at: end === null || end >= endOfTime ? null : new Date(end),
    phase_from: phase?.from ?? null,
    phase_to: phase?.to ?? null,
    zone_data: zoneData,
  };
}
