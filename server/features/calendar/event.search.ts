import { phasesOf } from '@/server/platform/ical/phase';

/**
 * Which events a range of time meets, as SQL (docs/adr/0010). Single events that begin in the range are found by when they start, those
 * at work when it begins by a GiST index, and series by where in their period they lie; nothing else is read.
 */

/**
 * A range of time, half-open: the parameters of a statement that stand for its ends, which are ISO 8601. Without `from` or `to` it is open
 * there.
 */
export interface Range {
  from?: string | undefined;
  to?: string | undefined;
}

/** Events that one index finds. */
export interface EventSet {
  /** On the event `e`. */
  condition: string;
  /** True where that index has them by start, so that the first ones are found without the others. */
  isByStart: boolean;
}

/** An all-day event begins up to this long before its start says: at midnight of its zone. */
export const wholeDay = "interval '26 hours'";

const isSingle = `e.recurrence = 'none'`;

/** Single events that meet the range; no event is in two of the sets. */
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

/** As `singleEvents`, in one set: for ranges so short that all of them are wanted. */
export function singleEventsAtOnce({ from, to }: Required<Range>): EventSet {
  const range = `tstzrange(${from}::timestamptz, ${to}::timestamptz)`;
  return { condition: `${isSingle} AND tstzrange(e.begins_at, e.over_at) && ${range}`, isByStart: false };
}

/**
 * What to look for among the phases of series: those of a range that is open at neither end. PostgreSQL's notation of a multirange.
 *
 * @param from milliseconds since 1970 UTC, as `to` is. A range without length would meet nothing: with its end, it meets what takes place then
 */
export function phasesWithin(from: number, to: number): string {
  let ranges = '';
  for (const phase of phasesOf(from, Math.max(from + 1, to))) ranges += `${ranges && ','}[${phase.from},${phase.to})`;
  return `{${ranges}}`;
}

/**
 * Series that may have an occurrence in the range; whether they do is for `meets` to say.
 *
 * @param phases the parameter for `phasesWithin` the range; there is none where that is open
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
 * @param first order and limit; what is not by start is gathered before, or the planner would walk over all events in that order
 */
export function selectEvents(columns: string, { condition, isByStart }: EventSet, others: string, first = ''): string {
  const found = `SELECT ${columns} FROM calendar_events e WHERE e.identity_id = $1 AND ${condition}${others}`;
  return isByStart || first === '' ? `(${found}${first})` : `(SELECT * FROM (${found} OFFSET 0) e${first})`;
}
