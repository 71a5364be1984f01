import { phasesOf } from '@/server/platform/ical/phase';

/**
 * SQL for the events that overlap a range of time (docs/adr/0010). Single events that begin in the range are found by start,
 * those that overlap its beginning by a GiST index, and series by their phase within the period; no other rows are read.
 */

/**
 * A half-open range of time: the statement parameters of its ends, which are ISO 8601. Without `from` or `to` it is unbounded
 * on that side.
 */
export interface Range {
  from?: string | undefined;
  to?: string | undefined;
}

/** Events found by one index. */
export interface EventSet {
  /** SQL condition on the event `e`. */
  condition: string;
  /** True if that index is sorted by start, so that the first events are found without reading the others. */
  isByStart: boolean;
}

/** An all-day event may begin this much earlier than its start: at midnight of its zone. */
export const wholeDay = "interval '26 hours'";

const isSingle = `e.recurrence = 'none'`;

/** Single events that overlap the range, in disjoint sets. */
export function singleEvents({ from, to }: Range): EventSet[] {
  const end = to === undefined ? undefined : `${to}::timestamptz`;
  const beginsInTime = end === undefined ? '' : ` AND e.start_at < ${end} + ${wholeDay} AND e.begins_at < ${end}`;
  if (from === undefined) return [{ condition: `${isSingle}${beginsInTime}`, isByStart: true }];
  const start = `${from}::timestamptz`;
  return [
    { condition: `${isSingle} AND e.start_at >= ${start}${beginsInTime}`, isByStart: true },
    { condition: `${isSingle} AND e.start_at < ${start} AND tstzrange(e.begins_at, e.over_at) @> ${start}`, isByStart: false },
  ];
}

/** Like `singleEvents`, in one set: for short ranges of which all events are needed. */
export function singleEventsAtOnce({ from, to }: Required<Range>): EventSet {
  const range = `tstzrange(${from}::timestamptz, ${to}::timestamptz)`;
  return { condition: `${isSingle} AND tstzrange(e.begins_at, e.over_at) && ${range}`, isByStart: false };
}

/**
 * The phases of series to search for a bounded range, as a PostgreSQL multirange.
 *
 * @param from milliseconds since 1970 UTC, like `to`. An empty range would match nothing, so it includes its end and matches
 *   the events at that moment
 */
export function phasesWithin(from: number, to: number): string {
  let ranges = '';
  for (const phase of phasesOf(from, Math.max(from + 1, to))) ranges += `${ranges && ','}[${phase.from},${phase.to})`;
  return `{${ranges}}`;
}

/**
 * Series that may have an occurrence in the range; `meets` then checks whether they do.
 *
 * @param phases the parameter with `phasesWithin` the range; undefined for an unbounded range
 */
export function seriesEvents({ from, to }: Range, phases: string | undefined): EventSet {
  const isSeries = `e.recurrence <> 'none'`;
  if (from === undefined && to === undefined) return { condition: isSeries, isByStart: true };
  const [start, end] = [from, to].map((time) => (time === undefined ? 'NULL' : `${time}::timestamptz`));
  const isGoingOn = (bounds: string) =>
    `${isSeries} AND tstzrange(e.begins_at, e.over_at) && tstzrange(${start}, ${end}, '${bounds}')`;
  if (phases === undefined) return { condition: isGoingOn('[)'), isByStart: false };
  const condition = `${isGoingOn('[]')} AND int4range(e.phase_from, e.phase_to) && ${phases}::int4multirange`;
  return { condition, isByStart: false };
}

/**
 * Selects the events `e` of the identity `$1` in a set.
 *
 * @param first order and limit; a set that is not by start is materialized first, or the planner would scan all events in that
 *   order
 */
export function selectEvents(columns: string, { condition, isByStart }: EventSet, others: string, first = ''): string {
  const found = `SELECT ${columns} FROM calendar_events e WHERE e.identity_id = $1 AND ${condition}${others}`;
  return isByStart || first === '' ? `(${found}${first})` : `(SELECT * FROM (${found} OFFSET 0) e${first})`;
}
