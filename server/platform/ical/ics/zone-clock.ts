import { canonicalZone } from '../zone-names';
import { dayLength, localTime, type Transition, transitionsBetween } from '../zones';

/** Time zones for iCalendar, where UTC has no name and is represented by null. */

const alwaysUtc = /^(?:Etc\/)?(?:UTC|UCT|GMT|GMT[+-]?0|Zulu|Universal|Greenwich)$/i;

/** 00:00 UTC on 1 January; `Date.UTC` maps years below 100 to the 20th century. */
export function startOfYear(year: number): number {
  return new Date(0).setUTCFullYear(year, 0, 1);
}

/** The zone's canonical spelling; null for UTC under any name and for unknown zones, whose times are written in UTC. */
export function namedZone(zone: string): string | null {
  return alwaysUtc.test(zone) ? null : (canonicalZone(zone) ?? null);
}

/** The clock changes of a named zone from the start of the first year (UTC) to the end of the last year, in order. */
export function transitionsOf(zone: string, firstYear: number, lastYear: number): Transition[] {
  return transitionsBetween(startOfYear(firstYear), startOfYear(lastYear + 1), zone);
}

/** The local time, in milliseconds since 1970 as if it were UTC. */
export function wallClock(instant: number, zone: string | null): number {
  return zone === null ? instant : localTime(instant, zone);
}

/** Milliseconds east of UTC at an instant. */
export function offsetAt(instant: number, zone: string | null): number {
  return wallClock(instant, zone) - instant;
}

/** True if local clocks show this time twice that night; RFC 5545 3.3.5 means the first, but not every calendar follows. */
export function isShownTwice(instant: number, zone: string): boolean {
  return transitionsBetween(instant - dayLength, instant + dayLength, zone).some(
    ({ at, before, after }) => instant >= at - (before - after) && instant < at + (before - after),
  );
}
