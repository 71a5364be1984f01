import type { IdentityActor } from '@/server/platform/actor';
import { pool } from '@/server/platform/db/pool';
import { rows } from '@/server/platform/db/sql';
import { occurrencesBetween } from '@/server/platform/ical/recurrence';
import { type Availability, type AvailabilityInput, type Conflict, conflictsMaximum } from './availability.schema';
import { type StoredTimes, seriesOf } from './event.record';
import { type EventSet, phasesWithin, selectEvents, seriesEvents, singleEvents, singleEventsAtOnce } from './event.search';
import { checkOrder } from './event.times';
import { mergeSorted } from './merge-sorted';

/** Times are ISO 8601. */
interface BusyRow {
  id: string;
  title: string;
  start_at: string;
  end_at: string;
  all_day: boolean;
  timezone: string;
  /** The recurrence; null for an event that takes place once, at exactly these times. */
  series: Pick<StoredTimes, 'recurrence' | 'recurrenceEndDate'> | null;
}

const busyColumns = `e.id, e.title, e.start_at, e.end_at, e.all_day, e.timezone,
    CASE WHEN e.recurrence <> 'none' OR e.all_day THEN json_build_object(
      'recurrence', e.recurrence, 'recurrenceEndDate', e.recurrence_end_at) END AS series`;

/** Parameters of a search: the identity, the ends of the range, the phases within it, and an excluded event, or null. */
const range = { from: '$2', to: '$3' };
const isBusy = ` AND e.status <> 'cancelled' AND e.id IS DISTINCT FROM $5::uuid`;
const recurring = selectEvents(busyColumns, seriesEvents(range, '$4'), isBusy);

/** In milliseconds. A shorter range has few events: almost always at most `few`. */
const shortRange = 7 * 24 * 3_600_000;
const few = 5_000;

/** Reads the events unsorted. */
const shortSearch = {
  name: 'calendar-availability-short',
  text: `${selectEvents(busyColumns, singleEventsAtOnce(range), isBusy)} UNION ALL ${recurring} LIMIT ${few + 1}`,
};

/** Reads the earliest non-recurring events. */
const longSearch = {
  name: 'calendar-availability-long',
  text: [...singleEvents(range).map(earliestOf), recurring].join(' UNION ALL '),
};

function earliestOf(set: EventSet): string {
  return selectEvents(busyColumns, set, isBusy, ` ORDER BY e.start_at, e.id LIMIT ${conflictsMaximum + 1}`);
}

async function findBusy(identityId: string, { startTime, endTime, excludeEventId }: AvailabilityInput): Promise<BusyRow[]> {
  const [from, to] = [Date.parse(startTime), Date.parse(endTime)];
  const values = [identityId, startTime, endTime, phasesWithin(from, to), excludeEventId ?? null];
  if (to - from <= shortRange) {
    const found = await rows<BusyRow>(pool(), { ...shortSearch, values, isoTimes: true, withoutRowSecurity: true });
    if (found.length <= few) return found;
  }
  return rows<BusyRow>(pool(), { ...longSearch, values, isoTimes: true, withoutRowSecurity: true });
}

function conflictsOf(row: BusyRow, from: number, to: number): Iterable<Conflict> {
  const { id, title, start_at: startTime, end_at: endTime, all_day: allDay, timezone, series } = row;
  if (series) return occurrencesOf(row, { startTime, endTime, allDay, timezone, ...series }, from, to);
  return [{ id, title, startTime, endTime, allDay, timezone }];
}

function* occurrencesOf({ id, title }: BusyRow, times: StoredTimes, from: number, to: number): Generator<Conflict> {
  const { allDay, timezone } = times;
  for (const { start, end } of occurrencesBetween(seriesOf(times), from, to)) {
    yield { id, title, startTime: new Date(start).toISOString(), endTime: new Date(end).toISOString(), allDay, timezone };
  }
}

function comesFirst(a: Conflict, b: Conflict): boolean {
  if (a.startTime !== b.startTime) return a.startTime < b.startTime;
  return a.endTime === b.endTime ? a.id < b.id : a.endTime < b.endTime;
}

/**
 * `GET /calendar/availability`: the events in the half-open range that take up time. Cancelled events never do, tentative ones
 * do; each occurrence of a series counts separately.
 *
 * @throws AppError invalid_request if the range ends before it starts
 */
export async function getAvailability({ identityId }: IdentityActor, input: AvailabilityInput): Promise<Availability> {
  const [from, to] = [Date.parse(input.startTime), Date.parse(input.endTime)];
  checkOrder(input.startTime, input.endTime);
  const busy = await findBusy(identityId, input);
  const lists = busy.map((row) => conflictsOf(row, from, to));
  const found = mergeSorted(lists, comesFirst, conflictsMaximum + 1);
  const conflicts = found.slice(0, conflictsMaximum);
  return { available: conflicts.length === 0, conflicts, hasMore: found.length > conflicts.length };
}
