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

/** An all-day event begins up to this long before its start says: at midnight of its zone. */
const wholeDay = "interval '26 hours'";

/** Conditions on single events `e`, each a set of its own: no event meets two of them. */
export function singleEventConditions({ from, to }: Range, parameter: Parameter): string[] {
  const isSingle = `e.recurrence = 'none'`;
  const end = to === undefined ? undefined : `${parameter(to)}::timestamptz`;
  const beginsInTime = end === undefined ? '' : ` AND e.start_at < ${end} + ${wholeDay} AND e.begins_at < ${end}`;
  if (from === undefined) return [`${isSingle}${beginsInTime}`];
  const start = `${parameter(from)}::timestamptz`;
  return [
    `${isSingle} AND e.start_at >= ${start}${beginsInTime}`,
    `${isSingle} AND e.start_at < ${start} AND tstzrange(e.begins_at, e.over_at) @> ${start}`,
  ];
}

/** `[{from, to}]` in PostgreSQL's notation of a multirange. */
function multirange(ranges: readonly { from: number; to: number }[]): string {
  return `{${ranges.map(({ from, to }) => `[${from},${to})`).join(',')}}`;
}

/** The condition on series `e` that may have an occurrence in the range; whether they do is for `meets` to say. */
export function seriesCondition({ from, to }: Range, parameter: Parameter): string {
  const isSeries = `e.recurrence <> 'none'`;
  if (from === undefined && to === undefined) return isSeries;
  const [start, end] = [from, to].map((time) => (time === undefined ? 'NULL' : `${parameter(time)}::timestamptz`));
  const isGoingOn = `${isSeries} AND tstzrange(e.begins_at, e.over_at) && tstzrange(${start}, ${end})`;
  if (from === undefined || to === undefined) return isGoingOn;
  const phases = multirange(phasesOf(Date.parse(from), Date.parse(to)));
  return `${isGoingOn} AND int4range(e.phase_from, e.phase_to) && ${parameter(phases)}::int4multirange`;
}
