import { monthOf, startOfMonth } from './months';
import { spanOf } from './recurrence';
import type { Frequency, Series } from './series';
import { dayLength, localTime, offsetsBetween } from './zones';

/**
 * Where in their day, week, month or year the occurrences of a series lie, as a range of minutes that an index can hold. A series that
 * meets a window of time has a range that overlaps one of the window's ranges (the other way round it only may), so a database finds the
 * candidates among any number of series without expanding them.
 *
 * All frequencies share one line of integers, each with a segment of its own. A minute of a segment counts from 00:00 UTC of the date
 * with which the period begins in the series' zone; so an occurrence in the first hours of a local month may lie below 0, and one in the
 * last hours above the length of the longest month.
 */
export interface MinuteRange {
  from: number;
  /** Exclusive. */
  to: number;
}

const minute = 60_000;

/** No zone is, or was on local mean time, further from UTC. */
const largestOffset = 16 * 60;

/** After this the yearly rules of the zones repeat, apart from what `settlingTime` covers. */
const rulesSettled = Date.UTC(2045, 0, 1);
/** For a series that begins later: long enough to see each offset that its zone has left. Morocco changes twice a year until 2087. */
const settlingTime = 8 * 366 * dayLength;

interface Segment {
  /** Where on the line the period begins. */
  origin: number;
  /** Of the longest period, in minutes. */
  length: number;
  /** The period around a local time; they are numbered as they follow each other. */
  periodOf: (local: number) => number;
  /** The local midnight with which a period begins. */
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
    // Years from 1 March: each date is then the same number of days from the year's beginning, 29 February being the last.
    periodOf: (local) => Math.floor((monthOf(local) - march) / 12),
    startOf: (year) => startOfMonth(12 * year + march),
  },
};

/**
 * The minutes that all occurrences of a series keep to; null when they say too little, and the series is a candidate for each window: a
 * single event, one that fills more than a third of its period, or one whose zone moved by too much in its lifetime.
 *
 * Goes by the time-zone rules that the runtime knows: after an update of those, a zone with new rules needs its series' phases anew.
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
    // At least a minute: an empty range overlaps nothing.
    to: segment.origin + Math.max(Math.ceil((end - least) / minute), Math.floor((begin - most) / minute) + 1),
  };
  return range.to - range.from > segment.length / 2 ? null : range;
}

/**
 * The ranges in which a series that meets `from` to `to` (exclusive; milliseconds since 1970 UTC) has its own: sorted, disjoint, and
 * about ten for a short window, whatever the series' zone.
 */
export function phasesOf(from: number, to: number): MinuteRange[] {
  const ranges: MinuteRange[] = [];
  for (const segment of Object.values(segments)) {
    const lowest = -largestOffset;
    // As far as `phaseOf` lets a series reach.
    const highest = segment.length + largestOffset + segment.length / 2;
    let reached = lowest;
    const add = (begin: number, end: number) => {
      // Periods come latest first, and so their ranges lowest first.
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

/** The offsets of the series' zone while it goes on. */
function offsetsOf(series: Series): { least: number; most: number } {
  const { start, end } = spanOf(series);
  // All-day events begin with their first date, and where clocks are put back a time may be read an hour or so early.
  const from = start - dayLength;
  const settled = Math.max(rulesSettled, from + settlingTime);
  return offsetsBetween(from, end === null ? settled : Math.min(end + dayLength, settled), series.timezone);
}

function ofDays(origin: number, days: number): Segment {
  // 1970-01-05, a Monday: which day makes no difference.
  const epoch = 4 * dayLength;
  const length = days * dayLength;
  return {
    origin,
    length: days * 1440,
    periodOf: (local) => Math.floor((local - epoch) / length),
    startOf: (period) => epoch + period * length,
  };
}
