import { LRUCache } from 'lru-cache';
import { Temporal } from 'temporal-polyfill';

/** A change of a zone's clocks; offsets in milliseconds east of UTC. */
export interface Transition {
  /** Milliseconds since 1970 UTC. */
  at: number;
  before: number;
  after: number;
}

interface Decade {
  /** In force when the decade begins. */
  offset: number;
  transitions: Transition[];
}

/** Asking Temporal takes a hundred times as long as looking up what it said. */
const decades = new LRUCache<string, Decade>({ max: 2000 });
const names = new LRUCache<string, { name: string | null }>({ max: 2000 });

const alwaysUtc = /^(?:Etc\/)?(?:UTC|UCT|GMT|GMT[+-]?0|Zulu|Universal|Greenwich)$/i;

/** 00:00 UTC on 1 January; also of years below 100, which `Date.UTC` takes for those of the last century. */
export function startOfYear(year: number): number {
  return new Date(0).setUTCFullYear(year, 0, 1);
}

function zoned(instant: number, zone: string): Temporal.ZonedDateTime {
  return Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(zone);
}

function offsetOf(moment: Temporal.ZonedDateTime): number {
  return Math.round(moment.offsetNanoseconds / 1_000_000);
}

/** The zone's name in its usual case; null for UTC under any of its names and for what is no zone, whose times are written in UTC. */
export function namedZone(zone: string): string | null {
  let known = names.get(zone);
  if (known === undefined) {
    known = { name: null };
    try {
      if (!alwaysUtc.test(zone)) known.name = zoned(0, zone).timeZoneId;
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
    }
    names.set(zone, known);
  }
  return known.name;
}

function readDecade(zone: string, year: number): Decade {
  const end = startOfYear(year + 10);
  // Of a transition at the very beginning, the offset before it is wanted.
  let moment = zoned(startOfYear(year) - 1, zone);
  let offset = offsetOf(moment);
  const decade: Decade = { offset, transitions: [] };
  for (;;) {
    const next = moment.getTimeZoneTransition('next');
    if (next === null || next.epochMilliseconds >= end) return decade;
    moment = next;
    const after = offsetOf(next);
    // A zone may change its name or what it calls summer time, and no clock moves.
    if (after !== offset) decade.transitions.push({ at: next.epochMilliseconds, before: offset, after });
    offset = after;
  }
}

function decadeOf(zone: string, year: number): Decade {
  const first = Math.floor(year / 10) * 10;
  const key = `${first} ${zone}`;
  const known = decades.get(key);
  if (known !== undefined) return known;
  const decade = readDecade(zone, first);
  decades.set(key, decade);
  return decade;
}

/** The clock changes of a named zone from the first year's beginning (UTC) to the last year's end, in order. */
export function transitionsOf(zone: string, firstYear: number, lastYear: number): Transition[] {
  const found: Transition[] = [];
  const from = startOfYear(firstYear);
  const to = startOfYear(lastYear + 1);
  for (let year = Math.floor(firstYear / 10) * 10; year <= lastYear; year += 10) {
    for (const transition of decadeOf(zone, year).transitions)
      if (transition.at >= from && transition.at < to) found.push(transition);
  }
  return found;
}

/** Milliseconds east of UTC at an instant; 0 for UTC, which is null. */
export function offsetAt(instant: number, zone: string | null): number {
  if (zone === null) return 0;
  const { offset, transitions } = decadeOf(zone, new Date(instant).getUTCFullYear());
  return transitions.findLast(({ at }) => at <= instant)?.after ?? offset;
}

/** What a clock on the wall shows, in milliseconds since 1970 as if it were UTC. */
export function wallClock(instant: number, zone: string | null): number {
  return instant + offsetAt(instant, zone);
}

/** Whether the clock on the wall shows this time twice that night; RFC 5545 3.3.5 means the first, and not every calendar follows. */
export function isShownTwice(instant: number, zone: string): boolean {
  const year = new Date(instant).getUTCFullYear();
  return decadeOf(zone, year).transitions.some(
    ({ at, before, after }) => instant >= at - (before - after) && instant < at + (before - after),
  );
}
