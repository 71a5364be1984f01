import { startOfYear } from './zone-clock';

const earliest = startOfYear(0);
const latest = startOfYear(10_000) - 1000;

/** `20260131T093000`: of milliseconds as if UTC; whole seconds, within the years that four digits can name. */
export function writtenTime(time: number): string {
  return new Date(Math.min(Math.max(time, earliest), latest)).toISOString().replace(/[-:]|\.\d+Z$/g, '');
}

/** `20260131T093000Z` (RFC 5545 3.3.5, form 2) of an instant. */
export function writtenInstant(instant: number): string {
  return `${writtenTime(instant)}Z`;
}

/** `20260131` (RFC 5545 3.3.4). */
export function writtenDate(time: number): string {
  return writtenTime(time).slice(0, 8);
}
