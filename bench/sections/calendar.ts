import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { indexColumns } from '@/server/features/calendar/event.times';
import { type Frequency, frequencies, type Series } from '@/server/platform/ical/series';
import { zoneData } from '@/server/platform/ical/zone-data';
import { compare, comparisonHead, type Operation } from '../compare';
import { startDatabase } from '../database';
import { type BenchIdentity, createIdentity } from '../fill';
import type { MakeRequest } from '../load';
import { compareSizes, makeSide, type Side } from '../sides';
import { type Table, whole } from '../table';

/** Whether availability and lists stay as fast over decades of events, and how they stand against hand-written SQL. */

const few = 100;
const many = 100_000;
const fewer = 20_000; // enough for --quick

const hour = 3_600_000;
const day = 24 * hour;
/** The month that is asked for, and the middle of all events: a hundred of them fill it as a hundred thousand do. */
const month = Date.UTC(2026, 10, 1);
const middle = Date.UTC(2026, 10, 16);
const recurring = frequencies.filter((frequency) => frequency !== 'none');

/** One event in twenty is a series. */
const shareOfSeries = 20;

/** Single events of an hour, one every eight hours, around the middle. */
async function addSingleEvents(sql: pg.Client, { id }: BenchIdentity, count: number): Promise<void> {
  await sql.query(
    `INSERT INTO calendar_events (id, identity_id, title, start_at, end_at, begins_at, over_at, zone_data)
     SELECT gen_random_uuid(), $1, 'Appointment ' || n, at, at + interval '1 hour', at, at + interval '1 hour', $4
     FROM generate_series(1, $2::int) n, LATERAL (SELECT $3::timestamptz + (n - $2::int / 2) * interval '8 hours' AS at) times`,
    [id, count, new Date(middle), zoneData],
  );
}

async function addSeries(sql: pg.Client, { id }: BenchIdentity, list: readonly Series[]): Promise<void> {
  const given = list.map((series) => ({
    id: randomUUID(),
    start_at: new Date(series.start),
    end_at: new Date(series.end),
    timezone: series.timezone,
    recurrence: series.frequency,
    recurrence_end_at: series.until === null ? null : new Date(series.until),
    ...indexColumns(series),
  }));
  await sql.query(
    `INSERT INTO calendar_events (id, identity_id, title, start_at, end_at, timezone, recurrence, recurrence_end_at, begins_at, over_at,
       phase_from, phase_to, zone_data)
     SELECT id, $1, 'Series', start_at, end_at, timezone, recurrence, recurrence_end_at, begins_at, over_at, phase_from, phase_to, zone_data
     FROM jsonb_populate_recordset(NULL::calendar_events, $2)`,
    [id, JSON.stringify(given)],
  );
}

/** The n-th of `count` series: half an hour in working hours, each kind in turn. */
function seriesAt(n: number, start: number, until: number | null): Series {
  const at = start + 8 * hour + ((n * 7) % 20) * (hour / 2);
  const frequency: Frequency = recurring[n % recurring.length] ?? 'daily';
  return { start: at, end: at + hour / 2, timezone: 'Europe/Berlin', allDay: false, frequency, until };
}

/** Series of two weeks each, spread as evenly over the years as the single events are, so that a month has as many of them in both. */
function passingSeries(count: number): Series[] {
  const apart = (shareOfSeries - 1) * 8 * hour;
  return Array.from({ length: count }, (_, n) => {
    const start = middle + Math.floor(((n - count / 2) * apart) / day) * day;
    return seriesAt(n, start, start + 14 * day);
  });
}

/** Series that go on for ever, since 1970 and later. */
function lastingSeries(count: number): Series[] {
  return Array.from({ length: count }, (_, n) => seriesAt(n, Date.UTC(1970, 0, 1) + (n % 15_000) * day, null));
}

const [from, to] = ['2026-11-01', '2026-12-01'];

function readsOf(busy: BenchIdentity, lasting: BenchIdentity): Record<string, MakeRequest> {
  const at = ({ keys: [key = ''] }: BenchIdentity, path: (n: number) => string): MakeRequest => {
    return (n) => ({ path: `/api/v1/calendar/${path(n)}`, key });
  };
  const range = (start: number, length: number) =>
    `startTime=${new Date(start).toISOString()}&endTime=${new Date(start + length).toISOString()}`;
  return {
    'availability, an hour': at(busy, (n) => `availability?${range(month + (n % 700) * hour, hour)}`),
    'availability, a day': at(busy, (n) => `availability?${range(month + (n % 30) * day, day)}`),
    'a month': at(busy, () => `events?startDate=${from}&endDate=${to}`),
    'a month, expanded': at(busy, () => `events?startDate=${from}&endDate=${to}&expand=true`),
    'availability at night, all series endless': at(
      lasting,
      (n) => `availability?${range(month + (n % 30) * day + 2 * hour, hour)}`,
    ),
  };
}

function openCalendar(count: number): Promise<Side> {
  return makeSide(async ({ sql }) => {
    const [busy, lasting] = [await createIdentity(sql, 'enterprise'), await createIdentity(sql, 'enterprise')];
    const seriesCount = count / shareOfSeries;
    for (const identity of [busy, lasting]) await addSingleEvents(sql, identity, count - seriesCount);
    await addSeries(sql, busy, passingSeries(seriesCount));
    await addSeries(sql, lasting, lastingSeries(seriesCount));
    await sql.query('VACUUM (ANALYZE) calendar_events');
    await sql.query('CHECKPOINT');
    return readsOf(busy, lasting);
  });
}

export async function calendar({ quick }: { quick: boolean }): Promise<Table> {
  const count = quick ? fewer : many;
  return {
    title: 'Calendar',
    note:
      `One identity with ${whole(few)} events, and one with ${whole(count)} in a database of its own; one in ${shareOfSeries} is a series. ` +
      'A month has 90 single events and five to seven series in both. In the last row series never end, and none meets the hour that is asked for. ' +
      'p50 at 8 connections. Target: a factor of at most 2.',
    head: ['Read', `p50 ms at ${whole(few)}`, `p50 ms at ${whole(count)}`, 'Factor', 'Requests/s'],
    rows: await compareSizes(openCalendar, [few, count], quick),
  };
}

/** The same reads of the product and of the hand-written server, without series. */
export async function calendarSql({ quick }: { quick: boolean }): Promise<Table> {
  const database = await startDatabase();
  try {
    const identity = await createIdentity(database.sql, 'enterprise');
    await addSingleEvents(database.sql, identity, many);
    await database.sql.query('VACUUM (ANALYZE) calendar_events');
    const reads = readsOf(identity, identity);
    const compared = ['availability, an hour', 'availability, a day', 'a month'].map(
      (name): Operation => ({ name, status: 200, load: () => reads[name] as MakeRequest }),
    );
    return {
      title: 'Calendar against hand-written SQL',
      note: `Frontdesk / hand-written server, ${whole(many)} events of one identity, none of them a series. Target: a ratio of at least 0.50. CPU is per request.`,
      head: comparisonHead,
      rows: await compare(database, compared, quick),
    };
  } finally {
    await database.remove();
  }
}
