import { phasesOf } from '@/server/calendar/phase';

/**
 * Which events a range of time meets, as SQL (docs/adr/0010). Single events that begin in the range are found by when they start, those
 * at work when it begins by a GiST index, and series by where in their period they lie; nothing else is read.
 */

/** A range of time, half-open; ISO 8601. Without `from` or `to` it is open there. */
export interface Range {
  from?: string | undefined;
  to?: string | undefined;
}

/** Collects the values of a statement; gives the text that stands for each. */
export type Parameter = (value: unknown) => string;

/** Events that one index finds. */
export interface EventSet {
  /** On the event `e`. */
  condition: string;
  /** True where that index has them by start, so that the first ones are found without the others. */
  isByStart: boolean;
}

/** An all-day event begins up to this long before its start says: at midnight of its zone. */
const wholeDay = "interval '26 hours'";

const isSingle = `e.recurrence = 'none'`;

/** Single events that meet the range; no event is in two of the sets. */
export function singleEvents({ from, to }: Range, parameter: Parameter): EventSet[] {
  const end = to === undefined ? undefined : `${parameter(to)}::timestamptz`;
  const beginsInTime = end === undefined ? '' : ` AND e.start_at < ${end} + ${wholeDay} AND e.begins_at < ${end}`;
  if (from === undefined) return [{ condition: `${isSingle}${beginsInTime}`, isByStart: true }];
  const start = `${parameter(from)}::timestamptz`;
  return [
    { condition: `${isSingle} AND e.start_at >= ${start}${beginsInTime}`, isByStart: true },
    { condition: `${isSingle} AND e.start_at < ${start} AND tstzrange(e.begins_at, e.over_at) @> ${start}`, isByStart: false },
  ];
}

/** As `singleEvents`, in one set: for ranges so short that all of them are wanted. */
export function singleEventsAtOnce({ from, to }: Required<Range>, parameter: Parameter): EventSet {
  const range = `tstzrange(${parameter(from)}::timestamptz, ${parameter(to)}::timestamptz)`;
  return { condition: `${isSingle} AND tstzrange(e.begins_at, e.over_at) && ${range}`, isByStart: false };
}

/** `[{from, to}]` in PostgreSQL's notation of a multirange. */
function multirange(ranges: readonly { from: number; to: number }[]): string {
  return `{${ranges.map(({ from, to }) => `[${from},${to})`).join(',')}}`;
}

/** Series that may have an occurrence in the range; whether they do is for `meets` to say. */
export function seriesEvents({ from, to }: Range, parameter: Parameter): EventSet {
  const isSeries = `e.recurrence <> 'none'`;
  if (from === undefined && to === undefined) return { condition: isSeries, isByStart: true };
  const [start, end] = [from, to].map((time) => (time === undefined ? 'NULL' : `${parameter(time)}::timestamptz`));
  const isGoingOn = (bounds: string) =>
    `${isSeries} AND tstzrange(e.begins_at, e.over_at) && tstzrange(${start}, ${end}, '${bounds}')`;
  if (from === undefined || to === undefined) return { condition: isGoingOn('[)'), isByStart: false };
  // A range without length would meet nothing: with its end, it meets whatever takes place then.
  const phases = multirange(phasesOf(Date.parse(from), Math.max(Date.parse(from) + 1, Date.parse(to))));
  const condition = `${isGoingOn('[]')} AND int4range(e.phase_from, e.phase_to) && ${parameter(phases)}::int4multirange`;
  return { condition, isByStart: false };
}

/**
 * Selects the events `e` of the identity `$1` in a set.
 *
 * @param first order and limit; what is not by start is gathered before, or the planner would walk over all events in that order
 */
export function selectEvents(columns: string, { condition, isByStart }: EventSet, others: string, first = ''): string {
  const found = `SELECT ${columns} FROM calendar_events e WHERE e.identity_id = $1 AND ${condition}${others}`;
  return isByStart || first === '' ? `(${found}${first})` : `(SELECT * FROM (${found} OFFSET 0) e${first})`;
}
