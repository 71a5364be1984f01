import { monthOf, startOfMonth } from './months';
import { spanOf } from './recurrence';
import type { Frequency, Series } from './series';
import { dayLength, localTime, offsetsBetween } from './zones';

/**
 * The position of a series' occurrences in their day, week, month or year, as an indexable range of minutes. A series that
 * meets a time window has a range that overlaps one of the window's ranges (but not always the reverse), so a database finds
 * candidates among any number of series without expanding them.
 * All frequencies share one line of integers, with a segment each. A segment's minutes count from 00:00 UTC of the period's
 * first date in the series' zone. So an occurrence in the first hours of a local month may be below 0, and one in the last
 * hours beyond the longest month.
 */
export interface MinuteRange {
  from: number;
  /** Exclusive. */
  to: number;
}

const minute = 60_000;

/** No zone, not even on local mean time, is further from UTC. */
const largestOffset = 16 * 60;

/** From here on the yearly rules of zones repeat, except for what `settlingTime` covers. */
const rulesSettled = Date.UTC(2045, 0, 1);
/** For a later series: long enough to include each offset the zone will still have. Morocco changes twice a year until 2087. */
const settlingTime = 8 * 366 * dayLength;

interface Segment {
  /** Where the period's segment begins. */
  origin: number;
  /** Length of the longest period, in minutes. */
  length: number;
  /** The number of the period that contains a local time; consecutive. */
  periodOf: (local: number) => number;
  /** The local midnight at which a period begins. */
  startOf: (period: number) => number;
}

/** Counted as in months.ts, from January. */
const march = 2;

const segments: Record<Exclude<Frequency, 'none'>, Segment> = {
  daily: ofDays(10_000, 1),
  weekly: ofDays(30_000, 7),
  biweekly: ofDays(60_000, 14),
  monthly: {
    origin: 110_000,
    length: 31 * 1440,
    periodOf: monthOf,
    startOf: startOfMonth,
  },
  yearly: {
    origin: 200_000,
    length: 366 * 1440,
    // Years start on 1 March: each date then has a fixed day number, with 29 February last.
    periodOf: (local) => Math.floor((monthOf(local) - march) / 12),
    startOf: (year) => startOfMonth(12 * year + march),
  },
};

/**
 * The minute range of all occurrences of a series; null if it is not selective, so that the series is a candidate for every
 * window: a single event, one longer than a third of its period, or one whose zone's offset varied too much.
 * Depends on the runtime's time zone rules: if they change for a zone, its series' phases must be recomputed.
 */
export function phaseOf(series: Series): MinuteRange | null {
  if (series.frequency === 'none') return null;
  const segment = segments[series.frequency];
  const local = localTime(series.start, series.timezone);
  const period = segment.startOf(segment.periodOf(local));
  let begin = local - period;
  let end = begin + Math.max(0, series.end - series.start);
  if (series.allDay) {
    begin = Math.floor(begin / dayLength) * dayLength;
    const localEnd = localTime(Math.max(series.start, series.end - 1), series.timezone) - period;
    end = Math.max(begin, Math.floor(localEnd / dayLength) * dayLength) + dayLength;
  }
  if ((end - begin) / minute > segment.length / 3) return null;
  const { least, most } = offsetsOf(series);
  const range = {
    from: segment.origin + Math.floor((begin - most) / minute),
    // At least one minute: an empty range overlaps nothing.
    to: segment.origin + Math.max(Math.ceil((end - least) / minute), Math.floor((begin - most) / minute) + 1),
  };
  return range.to - range.from > segment.length / 2 ? null : range;
}

/**
 * The ranges to search for series that meet `from` to `to` (exclusive; milliseconds since 1970 UTC): sorted, disjoint, and
 * about ten for a short window, for series in any zone.
 */
export function phasesOf(from: number, to: number): MinuteRange[] {
  const ranges: MinuteRange[] = [];
  for (const segment of Object.values(segments)) {
    const lowest = -largestOffset;
    // The limit of a series' range in `phaseOf`.
    const highest = segment.length + largestOffset + segment.length / 2;
    let reached = lowest;
    const add = (begin: number, end: number) => {
      // Periods come latest first, so their ranges come lowest first.
      const range = { from: Math.max(begin, reached), to: Math.min(end, highest) };
      if (range.from >= range.to) return;
      reached = range.to;
      const last = ranges.at(-1);
      if (last && last.to === segment.origin + range.from) last.to = segment.origin + range.to;
      else ranges.push({ from: segment.origin + range.from, to: segment.origin + range.to });
    };
    if (!(to - from < segment.length * minute)) {
      add(lowest, highest);
      continue;
    }
    const latest = Math.max(to, from + 1);
    const earliest = segment.periodOf(from - highest * minute);
    for (let period = segment.periodOf(latest - lowest * minute - 1); period >= earliest; period--) {
      const start = segment.startOf(period);
      add(Math.floor((from - start) / minute), Math.ceil((latest - start) / minute));
    }
  }
  return ranges;
}

/** The offsets of the series' zone during its lifetime. */
function offsetsOf(series: Series): { least: number; most: number } {
  const { start, end } = spanOf(series);
  // All-day events begin at their first local midnight, and when clocks are set back a time may be read about an hour early.
  const from = start - dayLength;
  const settled = Math.max(rulesSettled, from + settlingTime);
  return offsetsBetween(from, end === null ? settled : Math.min(end + dayLength, settled), series.timezone);
}

function ofDays(origin: number, days: number): Segment {
  // 1970-01-05, a Monday; any week start works.
  const epoch = 4 * dayLength;
  const length = days * dayLength;
  return {
    origin,
    length: days * 1440,
    periodOf: (local) => Math.floor((local - epoch) / length),
    startOf: (period) => epoch + period * length,
  };
}
