import type { IdentityActor } from '@/server/actor';
import { occurrencesBetween } from '@/server/calendar/recurrence';
import { pool } from '@/server/db/pool';
import { rows } from '@/server/db/sql';
import { type Availability, type AvailabilityInput, type Conflict, conflictsMaximum } from './calendar.schema';
import { type StoredTimes, seriesOf } from './event.record';
import { selectEvents, seriesEvents, singleEvents, singleEventsAtOnce } from './event.search';
import { checkOrder } from './event.times';
import { firstInOrder } from './in-order';

interface BusyRow extends StoredTimes {
  id: string;
  title: string;
}

const busyColumns = 'e.id, e.title, e.start_at, e.end_at, e.timezone, e.all_day, e.recurrence, e.recurrence_end_at';

const isBusy = ` AND e.status <> 'cancelled'`;

/** In so many milliseconds there are few events. */
const shortRange = 7 * 24 * 3_600_000;

function* conflictsOf(row: BusyRow, from: number, to: number): Generator<Conflict> {
  for (const { start, end } of occurrencesBetween(seriesOf(row), from, to)) {
    yield { id: row.id, title: row.title, startTime: new Date(start).toISOString(), endTime: new Date(end).toISOString() };
  }
}

function comesFirst(a: Conflict, b: Conflict): boolean {
  if (a.startTime !== b.startTime) return a.startTime < b.startTime;
  return a.endTime === b.endTime ? a.id < b.id : a.endTime < b.endTime;
}

/**
 * `GET /calendar/availability`: what takes up time in the half-open range. Cancelled events never do, tentative ones do; of series each
 * occurrence counts by itself.
 *
 * @throws AppError invalid_request where the range ends before it starts
 */
export async function getAvailability({ identityId }: IdentityActor, input: AvailabilityInput): Promise<Availability> {
  const { startTime, endTime, excludeEventId } = input;
  checkOrder(startTime, endTime);
  const range = { from: startTime, to: endTime };
  const values: unknown[] = [identityId];
  const parameter = (value: unknown) => `$${values.push(value)}`;
  const others = excludeEventId === undefined ? '' : ` AND e.id <> ${parameter(excludeEventId)}::uuid`;
  const [from, to] = [Date.parse(startTime), Date.parse(endTime)];
  const isShort = to - from <= shortRange;
  const single = isShort ? [singleEventsAtOnce(range, parameter)] : singleEvents(range, parameter);
  const earliest = isShort ? '' : ` ORDER BY e.start_at, e.id LIMIT ${conflictsMaximum + 1}`;
  const parts = [
    ...single.map((set) => selectEvents(busyColumns, set, isBusy + others, earliest)),
    selectEvents(busyColumns, seriesEvents(range, parameter), isBusy + others),
  ];
  const busy = await rows<BusyRow>(pool(), {
    name: `calendar-availability${isShort ? '-short' : ''}${others && '-others'}`,
    isoTimes: true,
    text: `SELECT id, title, start_at AS "startTime", end_at AS "endTime", timezone, all_day AS "allDay", recurrence,
        recurrence_end_at AS "recurrenceEndDate" FROM (${parts.join(' UNION ALL ')}) busy`,
    values,
  });
  const lists = busy.map((row) => conflictsOf(row, from, to));
  const found = firstInOrder(lists, comesFirst, conflictsMaximum + 1);
  const conflicts = found.slice(0, conflictsMaximum);
  return { available: conflicts.length === 0, conflicts, hasMore: found.length > conflicts.length };
}
