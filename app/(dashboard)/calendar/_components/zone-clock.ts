import { dateOf } from '@/app/_kit/viewer-format';
import { dayLength } from '@/server/platform/ical/zones';

/** Dates of wall times, which are counted in milliseconds as if they were in UTC (server/platform/ical/zones.ts). */

/** The date of a wall time: `2026-11-24`. */
export function dateOfWall(wall: number): string {
  return new Date(wall).toISOString().slice(0, 10);
}

/** The midnight at the start of a date, as a wall time. */
export function wallOfDate(date: string): number {
  return Date.parse(`${date}T00:00:00Z`);
}

/** The date `days` later; earlier if negative. */
export function addDays(date: string, days: number): string {
  return dateOfWall(wallOfDate(date) + days * dayLength);
}

/** The browser's zone. */
export function viewerZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** The viewer's date today. */
export const viewerToday = (): string => dateOf(new Date());
