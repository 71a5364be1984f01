import { calendarEvents, calendarInvitees } from '@/server/features/calendar/calendar.sql';
import type { IdentityActor } from '@/server/platform/actor';
import { identities } from '@/server/platform/auth/accounts.sql';
import { pool } from '@/server/platform/db/pool';
import { rows } from '@/server/platform/db/sql';
import { nextStart } from '@/server/platform/ical/recurrence';
import type { Frequency } from '@/server/platform/ical/series';
import { dayLength, localTime } from '@/server/platform/ical/zones';
import { type EventItem, listEventsInput } from '../calendar/calendar.schema';
import { listEvents } from '../calendar/event.service';
import { countingLimit, type Home, type HomeEvent } from './home.schema';

const hour = 3_600_000;
/** Maximum time by which a date begins before and ends after the same date in UTC, over all time zones. */
const zoneSpread = 26 * hour;
const lookAhead = 400 * dayLength;
const eventsShown = 30;
const answersShown = 3;

const iso = (moment: number) => new Date(moment).toISOString();
const dateAt = (moment: number, zone: string) => iso(localTime(moment, zone)).slice(0, 10);

/** The dates of an all-day event in its zone. */
function daysOf(start: number, end: number, { allDay, timezone }: Pick<EventItem, 'allDay' | 'timezone'>): HomeEvent['days'] {
  if (!allDay) return null;
  return { first: dateAt(start, timezone), last: dateAt(Math.max(start, end - 1), timezone) };
}

function toHomeEvent(item: EventItem): HomeEvent {
  const { id, title, location, startTime, endTime, status, recurrence, occurrenceStart } = item;
  return {
    id,
    title,
    location,
    start: startTime,
    end: endTime,
    days: daysOf(Date.parse(startTime), Date.parse(endTime), item),
    isTentative: status === 'tentative',
    occurrenceStart: recurrence === 'none' ? null : (occurrenceStart ?? null),
  };
}

/** Whether an event is not over yet; an all-day one until it is over in the last zone. */
function isOn({ start, end, days }: HomeEvent, now: number): boolean {
  if (days === null) return Date.parse(end) > now || Date.parse(start) >= now;
  return days.last >= iso(now - 12 * hour).slice(0, 10);
}

async function listed(actor: IdentityActor, from: number, to: number, limit: number): Promise<HomeEvent[]> {
  const input = listEventsInput.parse({ startDate: iso(from), endDate: iso(to), expand: true, limit });
  const { events } = await listEvents(actor, input);
  return events.filter(({ status }) => status !== 'cancelled').map(toHomeEvent);
}

/** Today's events in any viewer's zone, and the next ones. Looks further ahead only if the next two days are empty. */
export async function readEvents(actor: IdentityActor, now: Date): Promise<HomeEvent[]> {
  const at = now.getTime();
  const near = (await listed(actor, at - zoneSpread, at + 2 * zoneSpread, 500)).filter((event) => isOn(event, at));
  if (near.some(({ start }) => Date.parse(start) > at)) return near.slice(0, eventsShown);
  const far = await listed(actor, at + zoneSpread, at + lookAhead, 20);
  const next = far.find(({ start }) => Date.parse(start) > at);
  return [...near.slice(0, eventsShown), ...(next ? [next] : [])];
}

interface WaitingRow {
  id: string;
  title: string;
  startTime: string;
  endTime: string;
  timezone: string;
  allDay: boolean;
  recurrence: Frequency;
  recurrenceEndDate: string | null;
  waiting: number;
}

const columns = `id, title, start_at AS "startTime", end_at AS "endTime", timezone, all_day AS "allDay", recurrence,
  recurrence_end_at AS "recurrenceEndDate"`;

/**
 * Upcoming events with invitees who have not responded; the single events that end first, and the newest of the endless series.
 * Both orders are those of `calendar_events_over_idx`.
 */
function readWaiting(identityId: string, now: Date): Promise<WaitingRow[]> {
  const some = (condition: string) =>
    `(SELECT ${columns} FROM ${calendarEvents} calendar_events WHERE identity_id = $1 AND status <> 'cancelled' AND ${condition} LIMIT 300)`;
  return rows<WaitingRow>(pool(), {
    name: 'home-open-answers',
    isoTimes: true,
    text: `SELECT * FROM (
        SELECT e.*, (SELECT count(*)::int FROM (
          SELECT 1 FROM ${calendarInvitees} v WHERE v.identity_id = $1 AND v.event_id = e.id AND v.response = 'needs_action'
            AND v.email IS DISTINCT FROM (SELECT address FROM ${identities} identities WHERE id = $1) LIMIT ${countingLimit}
        ) x) AS waiting
        FROM (${some('over_at > $2 ORDER BY over_at, start_at, id')} UNION ALL ${some('over_at IS NULL ORDER BY over_at DESC, start_at DESC, id DESC')}) e
      ) e WHERE waiting > 0`,
    values: [identityId, now],
  });
}

/** Start and end of an event or the next occurrence of a series; null if it has begun. */
function nextTimes(row: WaitingRow, now: number): { start: number; end: number } | null {
  const [start, end] = [Date.parse(row.startTime), Date.parse(row.endTime)];
  if (row.recurrence === 'none') return start > now ? { start, end } : null;
  const until = row.recurrenceEndDate === null ? null : Date.parse(row.recurrenceEndDate);
  return nextStart({ start, end, until, timezone: row.timezone, allDay: row.allDay, frequency: row.recurrence }, now);
}

/** Invitees of upcoming events who have not responded; the business itself does not count. */
export async function readOpenAnswers(identityId: string, now: Date): Promise<Home['openAnswers']> {
  const found = await readWaiting(identityId, now);
  const events = found.flatMap((row) => {
    const times = nextTimes(row, now.getTime());
    if (!times) return [];
    const { id, title, waiting, recurrence } = row;
    const start = iso(times.start);
    return {
      id,
      title,
      waiting,
      start,
      days: daysOf(times.start, times.end, row),
      occurrenceStart: recurrence === 'none' ? null : start,
    };
  });
  events.sort((one, other) => one.start.localeCompare(other.start) || one.id.localeCompare(other.id));
  const count = events.reduce((sum, { waiting }) => sum + waiting, 0);
  return { count: Math.min(count, countingLimit), events: events.slice(0, answersShown) };
}
