import { canonicalZone } from '../zone-names';
import { dayLength, localTime, type Transition, transitionsBetween } from '../zones';

/** Zones as iCalendar needs them: UTC has no name there, and is null here. */

const alwaysUtc = /^(?:Etc\/)?(?:UTC|UCT|GMT|GMT[+-]?0|Zulu|Universal|Greenwich)$/i;

/** 00:00 UTC on 1 January; also of years below 100, which `Date.UTC` takes for those of the last century. */
export function startOfYear(year: number): number {
  return new Date(0).setUTCFullYear(year, 0, 1);
}

/** The zone's name in its usual case; null for UTC under any of its names and for what is no zone, whose times are written in UTC. */
export function namedZone(zone: string): string | null {
  return alwaysUtc.test(zone) ? null : (canonicalZone(zone) ?? null);
}

/** The clock changes of a named zone from the first year's beginning (UTC) to the last year's end, in order. */
export function transitionsOf(zone: string, firstYear: number, lastYear: number): Transition[] {
  return transitionsBetween(startOfYear(firstYear), startOfYear(lastYear + 1), zone);
}

/** What a clock on the wall shows, in milliseconds since 1970 as if it were UTC. */
export function wallClock(instant: number, zone: string | null): number {
  return zone === null ? instant : localTime(instant, zone);
}

/** Milliseconds east of UTC at an instant. */
export function offsetAt(instant: number, zone: string | null): number {
  return wallClock(instant, zone) - instant;
}

/** Whether the clock on the wall shows this time twice that night; RFC 5545 3.3.5 means the first, and not every calendar follows. */
export function isShownTwice(instant: number, zone: string): boolean {
  return transitionsBetween(instant - dayLength, instant + dayLength, zone).some(
    ({ at, before, after }) => instant >= at - (before - after) && instant < at + (before - after),
  );
}
