import { meets, occurrencesBetween } from '@/server/calendar/recurrence';
import type { Occurrence } from '@/server/calendar/series';
import { pool } from '@/server/db/pool';
import { rows } from '@/server/db/sql';
import { invalidFields } from '@/server/errors';
import type { EventItem, EventList, ListEventsInput } from './calendar.schema';
import { agentColumn, inviteesColumn, type StoredTimes, seriesOf } from './event.record';
import { type Range, selectEvents, seriesEvents, singleEvents } from './event.search';
import { firstInOrder } from './in-order';

interface ItemRow extends StoredTimes, Omit<EventItem, 'occurrenceStart' | keyof StoredTimes> {
  /** Whole days for all-day events. */
  beginsAt: string;
  overAt: string | null;
}

/** What the parts of the search read of an event `e`; the rest is looked up for those that are shown. */
const foundColumns = `e.id, e.identity_id, e.agent_id, e.title, e.start_at, e.end_at, e.timezone, e.all_day, e.color, e.status,
  e.recurrence, e.recurrence_end_at, e.location, e.begins_at, e.over_at`;

const itemColumns = (includeInvitees: boolean) => `e.id, e.title, e.start_at AS "startTime", e.end_at AS "endTime", e.timezone,
  e.all_day AS "allDay", e.color, e.status, e.recurrence, e.recurrence_end_at AS "recurrenceEndDate", e.location,
  e.begins_at AS "beginsAt", e.over_at AS "overAt", ${agentColumn} AS agent, ${includeInvitees ? inviteesColumn : `'[]'::json`} AS invitees,
  (SELECT count(*)::int FROM calendar_invitees v WHERE v.event_id = e.id) AS "inviteeCount"`;

/** Where the next batch of series begins: after this one. */
type Place = Pick<ItemRow, 'startTime' | 'id'> | undefined;

interface Search extends Range {
  identityId: string;
  agentId: string | undefined;
  includeInvitees: boolean;
  /** Most events of each part. */
  maximum: number;
}

type Part = 'single' | 'series';

/** Runs the search of one kind of events, by start. */
async function find(part: Part, search: Search, after?: Place): Promise<ItemRow[]> {
  const { identityId, agentId, includeInvitees, maximum } = search;
  const values: unknown[] = [identityId, maximum];
  const parameter = (value: unknown) => `$${values.push(value)}`;
  const byAgent = agentId === undefined ? '' : ` AND e.agent_id = ${parameter(agentId)}::uuid`;
  const beyond = after
    ? ` AND (e.start_at, e.id) > (${parameter(after.startTime)}::timestamptz, ${parameter(after.id)}::uuid)`
    : '';
  const sets = part === 'single' ? singleEvents(search, parameter) : [seriesEvents(search, parameter)];
  const parts = sets.map((set) => selectEvents(foundColumns, set, byAgent + beyond, ' ORDER BY e.start_at, e.id LIMIT $2'));
  const variant = [
    part,
    search.from && 'from',
    search.to && 'to',
    agentId && 'agent',
    after && 'after',
    includeInvitees && 'who',
  ];
  return rows<ItemRow>(pool(), {
    name: `calendar-list-${variant.filter(Boolean).join('-')}`,
    isoTimes: true,
    text: `WITH found AS MATERIALIZED (${parts.join(' UNION ALL ')})
      SELECT ${itemColumns(includeInvitees)} FROM (SELECT * FROM found ORDER BY start_at, id LIMIT $2) e
      JOIN identities i ON i.id = $1 ORDER BY e.start_at, e.id`,
    values,
  });
}

/** Series of which an occurrence meets the range, by start; most of those that the index finds do, so batches are few. */
async function findSeries(search: Search): Promise<ItemRow[]> {
  const { from, to, maximum } = search;
  const found: ItemRow[] = [];
  let after: Place;
  while (found.length < maximum) {
    const batch = await find('series', search, after);
    const isExact = from === undefined || to === undefined;
    found.push(...batch.filter((row) => isExact || meets(seriesOf(row), Date.parse(from), Date.parse(to))));
    after = batch.at(-1);
    if (batch.length < maximum) break;
  }
  return found;
}

function comesFirst(a: Pick<EventItem, 'startTime' | 'id'>, b: Pick<EventItem, 'startTime' | 'id'>): boolean {
  return a.startTime === b.startTime ? a.id < b.id : a.startTime < b.startTime;
}

function toItem({ beginsAt: _beginsAt, overAt: _overAt, recurrenceEndDate: _end, ...item }: ItemRow): EventItem {
  return item;
}

function answerOf(events: EventItem[], limit: number): EventList {
  const shown = events.slice(0, limit);
  return { events: shown, count: shown.length, hasMore: events.length > limit };
}

/** `GET /calendar/events`: a series is one item, or with `expand` one for each of its occurrences. */
export async function listEventPage(identityId: string, input: ListEventsInput): Promise<EventList> {
  const { startDate: from, endDate: to, agentId, includeInvitees, limit } = input;
  const search: Search = { identityId, from, to, agentId, includeInvitees, maximum: limit + 1 };
  if (input.expand) {
    const missing = Object.entries({ startDate: from, endDate: to }).filter(([, date]) => date === undefined);
    if (missing.length > 0) throw invalidFields(Object.fromEntries(missing.map(([name]) => [name, 'is required with expand'])));
    return expandedPage(search, limit);
  }
  const [single, series] = await Promise.all([find('single', search), findSeries(search)]);
  const lists = [single, series].map((found) => found.map(toItem));
  return answerOf(firstInOrder<EventItem>(lists, comesFirst, limit + 1), limit);
}

/** All series of a range, a batch at a time: any of them may have the occurrence that comes first. */
async function everySeries(search: Search): Promise<ItemRow[]> {
  const batchSize = { ...search, maximum: 2_500 };
  const found: ItemRow[] = [];
  for (let after: Place; ; ) {
    const batch = await find('series', batchSize, after);
    found.push(...batch);
    after = batch.at(-1);
    if (batch.length < batchSize.maximum) return found;
  }
}

function occurrenceItem(item: EventItem, { start, end }: Occurrence): EventItem {
  const startTime = new Date(start).toISOString();
  return { ...item, startTime, endTime: new Date(end).toISOString(), occurrenceStart: startTime };
}

async function expandedPage(search: Search, limit: number): Promise<EventList> {
  const [from, to] = [Date.parse(search.from ?? ''), Date.parse(search.to ?? '')];
  const [single, series] = await Promise.all([find('single', search), everySeries(search)]);
  const lists = [...single, ...series].map(function* (row): Generator<EventItem> {
    const item = toItem(row);
    for (const occurrence of occurrencesBetween(seriesOf(row), from, to)) yield occurrenceItem(item, occurrence);
  });
  return answerOf(firstInOrder<EventItem>(lists, comesFirst, limit + 1), limit);
}
