import { withoutComments } from './mail-headers';

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/** Hours east of UTC of the zones that RFC 5322 4.3 names. */
const zones: Record<string, number> = {
  ut: 0,
  utc: 0,
  gmt: 0,
  z: 0,
  est: -5,
  edt: -4,
  cst: -6,
  cdt: -5,
  mst: -7,
  mdt: -6,
  pst: -8,
  pdt: -7,
};

/** RFC 5322 3.3 and its obsolete form; tolerates dashes and full month names. */
const internetForm =
  /^(?:[a-z]+\.?,?\s*)?(\d{1,2})[\s-]+([a-z]{3})[a-z]*\.?[\s,-]+(\d{4}|\d{2})\s+(\d{1,2}):(\d{1,2})(?::(\d{1,2}))?\s*(.*)$/;

/** The format of C's asctime. */
const asctimeForm = /^[a-z]{3},?\s+([a-z]{3})\s+(\d{1,2})\s+(\d{1,2}):(\d{1,2}):(\d{1,2})\s+([a-z+-][\w+-]*\s+)?(\d{4})$/;

const isoForm = /^\d{4}-\d\d-\d\d[t ]\d\d:\d\d(:\d\d(\.\d+)?)?\s*(z|[+-]\d\d:?\d\d)?$/;

const earliest = Date.UTC(1980, 0, 1);
const millisecondsOfDay = 24 * 60 * 60 * 1000;

/** Minutes east of UTC; 0 for an unknown zone (RFC 5322 4.3). */
function offsetOf(zone: string): number {
  const numeric = /^(?:gmt|utc)?([+-])(\d{1,2}):?(\d\d)\b/.exec(zone);
  if (numeric === null) return (zones[/^[a-z]+/.exec(zone)?.[0] ?? ''] ?? 0) * 60;
  const minutes = Number(numeric[2]) * 60 + Number(numeric[3]);
  return numeric[1] === '-' ? -minutes : minutes;
}

interface Parts {
  year: string;
  month: string;
  day: string;
  hour: string;
  minute: string;
  second: string;
  zone: string;
}

function fromParts({ year, month, day, hour, minute, second, zone }: Parts): number {
  const shortYear = Number(year) + (Number(year) < 50 ? 2000 : 1900);
  // A leap second counts as the second before.
  const time = [Number(hour), Number(minute), Math.min(Number(second), 59)] as const;
  if (time[0] > 23 || time[1] > 59 || Number(second) > 60) return Number.NaN;
  const monthIndex = months.indexOf(month);
  const moment = new Date(Date.UTC(year.length === 2 ? shortYear : Number(year), monthIndex, Number(day), ...time));
  if (monthIndex < 0 || moment.getUTCDate() !== Number(day)) return Number.NaN;
  return moment.getTime() - offsetOf(zone) * 60_000;
}

function parse(value: string): number {
  const internet = internetForm.exec(value);
  if (internet !== null) {
    const [, day = '', month = '', year = '', hour = '', minute = '', second = '0', zone = ''] = internet;
    return fromParts({ year, month, day, hour, minute, second, zone });
  }
  const asctime = asctimeForm.exec(value);
  if (asctime !== null) {
    const [, month = '', day = '', hour = '', minute = '', second = '', zone = '', year = ''] = asctime;
    return fromParts({ year, month, day, hour, minute, second, zone });
  }
  const iso = isoForm.exec(value);
  return iso === null ? Number.NaN : Date.parse(iso[3] === undefined ? `${value}z` : value);
}

/**
 * Parses a Date header; null if it is unreadable, before 1980 or more than a day ahead of `now`. Not mailparser's, which
 * substitutes the current time for unreadable dates.
 */
export function sentAtOf(header: string | null, now = Date.now()): Date | null {
  if (header === null || header.length > 500) return null;
  const time = parse(withoutComments(header).trim().toLowerCase());
  return time >= earliest && time <= now + millisecondsOfDay ? new Date(time) : null;
}
