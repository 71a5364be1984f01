import { identities } from '@/server/platform/auth/accounts.sql';
import { pool } from '@/server/platform/db/pool';
import { rows } from '@/server/platform/db/sql';
import { invalidFields } from '@/server/platform/errors';
import { meets, occurrencesBetween } from '@/server/platform/ical/recurrence';
import type { Occurrence } from '@/server/platform/ical/series';
import { type EventItem, type EventList, type ListEventsInput, listedInviteesMaximum } from './calendar.schema';
import { agentColumn, inviteesColumn, type StoredTimes, seriesOf } from './event.record';
import { phasesWithin, type Range, selectEvents, seriesEvents, singleEvents, wholeDay } from './event.search';
import type { InviteeRecord } from './invitee.schema';
import { mergeSorted } from './merge-sorted';

type ItemRow = StoredTimes & Omit<EventItem, 'occurrenceStart' | 'invitees' | keyof StoredTimes>;

/** Columns of an event `e` that the parts of the search read; the rest is queried only for the events of the page. */
const foundColumns = `e.id, e.identity_id, e.agent_id, e.title, e.start_at, e.begins_at, e.end_at, e.timezone, e.all_day, e.color,
  e.status, e.recurrence, e.recurrence_end_at, e.location`;

const itemColumns = `e.id, e.title, e.start_at AS "startTime", e.end_at AS "endTime", e.timezone, e.all_day AS "allDay", e.color,
  e.status, e.recurrence, e.recurrence_end_at AS "recurrenceEndDate", e.location, ${agentColumn} AS agent,
  (SELECT count(*)::int FROM calendar_invitees v WHERE v.identity_id = e.identity_id AND v.event_id = e.id) AS "inviteeCount"`;

/** Cursor: the next batch of series begins after this one. */
type Cursor = Pick<ItemRow, 'startTime' | 'id'> | undefined;

interface Search {
  identityId: string;
  /** ISO 8601. */
  from: string | undefined;
  to: string | undefined;
  agentId: string | undefined;
  /** Maximum events of each part. */
  maximum: number;
}

/** `wholeDays` are single events, too: those of the last day that begin earlier than the cursor. */
type Part = 'single' | 'wholeDays' | 'series';

function phasesOf({ from, to }: Search): string | undefined {
  return from === undefined || to === undefined ? undefined : phasesWithin(Date.parse(from), Date.parse(to));
}

/** Runs the search of one kind of events, by start; for whole days, by the time they begin. */
async function find(part: Part, search: Search, after?: Cursor): Promise<ItemRow[]> {
  const { identityId, agentId, maximum } = search;
  const values: unknown[] = [identityId, maximum];
  const parameter = (value: unknown) => `$${values.push(value)}`;
  const byAgent = agentId === undefined ? '' : ` AND e.agent_id = ${parameter(agentId)}::uuid`;
  const place = after && { start: `${parameter(after.startTime)}::timestamptz`, id: `${parameter(after.id)}::uuid` };
  const beyond = place ? ` AND (e.start_at, e.id) > (${place.start}, ${place.id})` : '';
  const isWholeDay = part === 'wholeDays' && place ? ` AND e.all_day AND e.start_at < ${place.start} + ${wholeDay}` : '';
  const order = part === 'wholeDays' ? 'e.begins_at, e.id' : 'e.start_at, e.id';
  const given = (value: string | undefined) => (value === undefined ? undefined : parameter(value));
  const range: Range = { from: given(search.from), to: given(search.to) };
  const sets = part === 'series' ? [seriesEvents(range, given(phasesOf(search)))] : singleEvents(range);
  const others = byAgent + beyond + isWholeDay;
  const parts = sets.map((set) => selectEvents(foundColumns, set, others, ` ORDER BY ${order} LIMIT $2`));
  const variant = [part, search.from && 'from', search.to && 'to', agentId && 'agent', after && 'after'];
  return rows<ItemRow>(pool(), {
    name: `calendar-list-${variant.filter(Boolean).join('-')}`,
    isoTimes: true,
    withoutRowSecurity: true,
    text: `WITH found AS MATERIALIZED (${parts.join(' UNION ALL ')})
      SELECT ${itemColumns} FROM (SELECT * FROM found e ORDER BY ${order} LIMIT $2) e ORDER BY ${order}`,
    values,
  });
}

/** A superset of the first single events in time order: whole days begin earlier than their start says. */
async function singlesInTime(search: Search): Promise<ItemRow[]> {
  const found = await find('single', search);
  const last = found.at(-1);
  if (!last || found.length < search.maximum) return found;
  return [...found, ...(await find('wholeDays', search, last))];
}

/** All series that the index finds, by start, in batches. */
async function* seriesBatches(search: Search): AsyncGenerator<ItemRow[]> {
  for (let after: Cursor; ; ) {
    const batch = await find('series', search, after);
    yield batch;
    if (batch.length < search.maximum) return;
    after = batch.at(-1);
  }
}

/** The first series with an occurrence in the range, by start; most of those the index finds match, so there are few batches. */
async function findSeries(search: Search): Promise<ItemRow[]> {
  const { from, to, maximum } = search;
  const isExact = from === undefined || to === undefined;
  const found: ItemRow[] = [];
  for await (const batch of seriesBatches(search)) {
    found.push(...batch.filter((row) => isExact || meets(seriesOf(row), Date.parse(from), Date.parse(to))));
    if (found.length >= maximum) break;
  }
  return found;
}

function comesFirst(a: Pick<EventItem, 'startTime' | 'id'>, b: Pick<EventItem, 'startTime' | 'id'>): boolean {
  return a.startTime === b.startTime ? a.id < b.id : a.startTime < b.startTime;
}

function toItem(row: ItemRow): EventItem {
  return { ...row, invitees: [] };
}

/** Number of events whose invitees fit into one page; at least one. */
function withinInvitees(events: readonly EventItem[]): number {
  let total = 0;
  const beyond = events.findIndex(({ inviteeCount }) => {
    total += inviteeCount;
    return total > listedInviteesMaximum;
  });
  return beyond < 0 ? events.length : Math.max(1, beyond);
}

/** Adds their invitees, read once for all occurrences of a series. */
async function addInvitees(identityId: string, events: readonly EventItem[]): Promise<EventItem[]> {
  const ids = new Set(events.filter(({ inviteeCount }) => inviteeCount > 0).map(({ id }) => id));
  if (ids.size === 0) return [...events];
  const found = await rows<{ id: string; invitees: InviteeRecord[] }>(pool(), {
    name: 'calendar-list-invitees',
    text: `SELECT e.id, ${inviteesColumn} AS invitees FROM calendar_events e JOIN ${identities} i ON i.id = e.identity_id
      WHERE e.identity_id = $1 AND e.id = ANY($2::uuid[])`,
    values: [identityId, [...ids]],
  });
  const byId = new Map(found.map(({ id, invitees }) => [id, invitees]));
  return events.map((event) => {
    const invitees = byId.get(event.id) ?? event.invitees;
    return { ...event, invitees, inviteeCount: invitees.length };
  });
}

/** @param found one more than `limit`, if there are as many */
async function answerOf(identityId: string, found: EventItem[], { limit, includeInvitees }: ListEventsInput): Promise<EventList> {
  const page = found.slice(0, limit);
  const shown = includeInvitees ? page.slice(0, withinInvitees(page)) : page;
  const events = includeInvitees ? await addInvitees(identityId, shown) : shown;
  return { events, count: events.length, hasMore: found.length > events.length };
}

/** @throws AppError invalid_request */
function checkRange({ startDate, endDate, expand }: ListEventsInput): void {
  const given = { startDate, endDate };
  const missing = Object.entries(given).filter(([, date]) => expand && date === undefined);
  if (missing.length > 0) throw invalidFields(Object.fromEntries(missing.map(([name]) => [name, 'is required with expand'])));
  if (startDate !== undefined && endDate !== undefined && endDate < startDate) {
    throw invalidFields({ endDate: 'must not be before startDate' });
  }
}

/** `GET /calendar/events`: a series is one item, or with `expand` one per occurrence. */
export async function listEventPage(identityId: string, input: ListEventsInput): Promise<EventList> {
  checkRange(input);
  const { startDate: from, endDate: to, agentId, limit, expand } = input;
  const search: Search = { identityId, from, to, agentId, maximum: limit + 1 };
  const [single, series] = await (expand
    ? Promise.all([singlesInTime(search), everySeries(search)])
    : Promise.all([find('single', search), findSeries(search)]));
  const lists = expand ? expanded([...single, ...series], search) : [single, series].map((found) => found.map(toItem));
  return answerOf(identityId, mergeSorted<EventItem>(lists, comesFirst, limit + 1), input);
}

/** All series of a range: any of them may have the first occurrence. */
async function everySeries(search: Search): Promise<ItemRow[]> {
  const found: ItemRow[] = [];
  for await (const batch of seriesBatches({ ...search, maximum: 2_500 })) found.push(...batch);
  return found;
}

function occurrenceItem(item: EventItem, { start, end }: Occurrence): EventItem {
  const startTime = new Date(start).toISOString();
  return { ...item, startTime, endTime: new Date(end).toISOString(), occurrenceStart: startTime };
}

/** The occurrences of each series in the range, generated lazily. */
function expanded(found: readonly ItemRow[], search: Search): Iterable<EventItem>[] {
  const [from, to] = [Date.parse(search.from ?? ''), Date.parse(search.to ?? '')];
  return found.map(function* (row): Generator<EventItem> {
    const item = toItem(row);
    for (const occurrence of occurrencesBetween(seriesOf(row), from, to)) yield occurrenceItem(item, occurrence);
  });
}
