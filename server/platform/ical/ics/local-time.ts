import { startOfYear } from './zone-clock';

const earliest = startOfYear(0);
const latest = startOfYear(10_000) - 1000;

/** `20260131T093000` from milliseconds as if UTC; whole seconds, limited to four-digit years. */
export function writtenTime(time: number): string {
  return new Date(Math.min(Math.max(time, earliest), latest)).toISOString().replace(/[-:]|\.\d+Z$/g, '');
}

/** An instant as `20260131T093000Z` (RFC 5545 3.3.5, form 2). */
export function writtenInstant(instant: number): string {
  return `${writtenTime(instant)}Z`;
}

/** A date as `20260131` (RFC 5545 3.3.4). */
export function writtenDate(time: number): string {
  return writtenTime(time).slice(0, 8);
}
