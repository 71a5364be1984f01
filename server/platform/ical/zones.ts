/** One day in milliseconds, in local time and in UTC. */
export const dayLength = 86_400_000;

/** Time span whose offsets are computed together; this takes at most half a millisecond. */
const blockLength = 1461 * dayLength;
/** No zone changes its offset and back within this interval; a test compares all zones with Temporal. */
const sampleInterval = 8 * dayLength;
/** Before the first zone left local mean time; earlier times use the same offsets. */
const historyStart = Date.UTC(1800, 0, 1);
/**
 * From here on, times are mapped 400 years back (with equal weekdays), since zones then only follow yearly rules. This bounds
 * the cache.
 */
const foldFrom = Date.UTC(2500, 0, 1);
const gregorianCycle = 146_097 * dayLength;
/** Maximum cached blocks; all zones over the centuries that calendars show need fewer. */
const maximumBlocks = 16_384;

/** A time span with one offset from UTC. Block borders also split spans, so the next one may have the same offset. */
interface Piece {
  /** Exclusive. */
  end: number;
  offset: number;
}

interface Zone {
  format: Intl.DateTimeFormat;
  blocks: Map<number, Piece[]>;
}

const zones = new Map<string, Zone>();
let blocksKept = 0;

/**
 * The local time in `zone` at `instant`, in milliseconds as if UTC.
 * @param instant milliseconds since 1970 UTC, years 1 to 9999
 * @throws RangeError if the zone does not exist
 */
export function localTime(instant: number, zone: string): number {
  return instant + pieceAt(zoneNamed(zone), instant - foldOf(instant)).offset;
}

/**
 * The instant of the local time `local` in `zone`, in milliseconds since 1970 UTC. RFC 5545, section 3.3.5: a repeated time is
 * the first of the two; a skipped one is read with the offset before the gap (02:30 becomes 03:30).
 * @param local as returned by `localTime`
 * @throws RangeError if the zone does not exist
 */
export function instantOf(local: number, zone: string): number {
  return resolve(local, zone, (_gap, readBefore) => readBefore);
}

/**
 * The first moment of the date that begins at the local midnight `local`: midnight, or the end of the gap if clocks skip it.
 * For a date that the zone skipped, the first moment of the next date.
 * @throws RangeError if the zone does not exist
 */
export function startOfDate(local: number, zone: string): number {
  return resolve(local, zone, (gap) => gap);
}

/**
 * The smallest and the largest offset of `zone` (milliseconds east of UTC) between two instants.
 * @throws RangeError if the zone does not exist
 */
export function offsetsBetween(from: number, to: number, zone: string): { least: number; most: number } {
  const table = zoneNamed(zone);
  const fold = foldOf(from);
  // A whole cycle contains all offsets.
  const end = Math.min(to - fold, from - fold + gregorianCycle);
  let piece = pieceAt(table, from - fold);
  let { offset: least, offset: most } = piece;
  while (piece.end < end) {
    piece = pieceAt(table, piece.end);
    least = Math.min(least, piece.offset);
    most = Math.max(most, piece.offset);
  }
  return { least, most };
}

/** A clock change of a zone; offsets in milliseconds east of UTC. */
export interface Transition {
  /** Milliseconds since 1970 UTC. */
  at: number;
  before: number;
  after: number;
}

/**
 * The clock changes of a zone from `from` (inclusive) to `to`, in order; at most those of 400 years.
 * @throws RangeError if the zone does not exist
 */
export function transitionsBetween(from: number, to: number, zone: string): Transition[] {
  const table = zoneNamed(zone);
  const fold = foldOf(from);
  const end = Math.min(to - fold, from - fold + gregorianCycle);
  const found: Transition[] = [];
  // Start one millisecond earlier, to know the offset before a change at `from`.
  let piece = pieceAt(table, from - fold - 1);
  while (piece.end < end) {
    const next = pieceAt(table, piece.end);
    // A block border is not a change.
    if (next.offset !== piece.offset) found.push({ at: piece.end + fold, before: piece.offset, after: next.offset });
    piece = next;
  }
  return found;
}

/**
 * @param inGap returns the instant for a skipped time, given the instant of the gap and the time read with the offset before it
 */
function resolve(local: number, name: string, inGap: (gap: number, readBefore: number) => number): number {
  const zone = zoneNamed(name);
  // Offsets are shorter than a day, so the result is later than this.
  const early = local - dayLength;
  const fold = foldOf(early);
  let piece = pieceAt(zone, early - fold);
  for (;;) {
    const instant = local - fold - piece.offset;
    if (instant < piece.end) return instant + fold;
    const next = pieceAt(zone, piece.end);
    if (local - fold - next.offset < piece.end) return inGap(piece.end, instant) + fold;
    piece = next;
  }
}

/** The amount to subtract to map a time to an equivalent year below `foldFrom`. */
function foldOf(time: number): number {
  return time < foldFrom ? 0 : Math.ceil((time - foldFrom + 1) / gregorianCycle) * gregorianCycle;
}

function zoneNamed(name: string): Zone {
  const known = zones.get(name);
  if (known) return known;
  // Newer runtimes accept offsets as names.
  if (!/^[A-Za-z]/.test(name)) throw new RangeError(`Unknown time zone: ${name.slice(0, 60)}`);
  const format = new Intl.DateTimeFormat('en-US', { timeZone: name, timeZoneName: 'longOffset', year: 'numeric' });
  const zone: Zone = { format, blocks: new Map<number, Piece[]>() };
  zones.set(name, zone);
  return zone;
}

function pieceAt(zone: Zone, instant: number): Piece {
  const time = instant < historyStart ? historyStart : instant;
  const index = Math.floor(time / blockLength);
  const block = zone.blocks.get(index) ?? computeBlock(zone, index);
  for (const piece of block) if (time < piece.end) return piece;
  throw new RangeError(`Not a time: ${instant}`);
}

function computeBlock(zone: Zone, index: number): Piece[] {
  if (++blocksKept > maximumBlocks) {
    for (const { blocks } of zones.values()) blocks.clear();
    blocksKept = 1;
  }
  const end = (index + 1) * blockLength;
  const pieces: Piece[] = [];
  let from = index * blockLength;
  let offset = offsetAt(zone, from);
  while (from < end) {
    const to = Math.min(from + sampleInterval, end);
    const next = offsetAt(zone, to);
    if (next !== offset) pieces.push({ end: changeBetween(zone, from, to, offset), offset });
    from = to;
    offset = next;
  }
  // A change exactly at the border belongs to the next block.
  if (pieces.at(-1)?.end !== end) pieces.push({ end, offset });
  zone.blocks.set(index, pieces);
  return pieces;
}

/** The instant after `from` at which the offset stops being `offset`; zones change at full seconds. */
function changeBetween(zone: Zone, from: number, to: number, offset: number): number {
  let before = from / 1000;
  let after = to / 1000;
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (offsetAt(zone, middle * 1000) === offset) before = middle;
    else after = middle;
  }
  return after * 1000;
}

/**
 * Directly from the runtime's time zone data, in milliseconds. Temporal costs five times as much and caches every result
 * without limit.
 */
function offsetAt(zone: Zone, instant: number): number {
  const [, sign, hours, minutes, seconds] = /GMT(?:([+-])(\d\d):(\d\d)(?::(\d\d))?)?$/.exec(zone.format.format(instant)) ?? [];
  if (sign === undefined) return 0;
  const size = Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds ?? 0);
  return (sign === '-' ? -size : size) * 1000;
}
