/** One day on the clock and, in UTC, on the time line. */
export const dayLength = 86_400_000;

/** Years in which a zone's offsets are learnt together; few enough to be learnt in half a millisecond. */
const blockLength = 1461 * dayLength;
/** Looked at this often, no zone changes its offset and changes it back unseen; the test compares all zones with Temporal. */
const stride = 8 * dayLength;
/** Before the first zone left its local mean time; earlier offsets are those of then. */
const beginning = Date.UTC(1800, 0, 1);
/**
 * From here on years repeat those 400 years earlier, weekdays included: what a zone does so far ahead is a yearly rule. So what is kept
 * is bounded, whatever is asked.
 */
const foldFrom = Date.UTC(2500, 0, 1);
const gregorianCycle = 146_097 * dayLength;
/** All zones over the centuries that calendars show need fewer. */
const maximumBlocks = 16_384;

/** A stretch of time with one offset from UTC. A block's border ends a piece too, so the next piece may have the same offset. */
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
 * What clocks in `zone` show at `instant`, as the milliseconds at which clocks in UTC show the same.
 *
 * @param instant milliseconds since 1970 UTC, years 1 to 9999
 * @throws RangeError when there is no such zone
 */
export function localTime(instant: number, zone: string): number {
  return instant + pieceAt(zoneNamed(zone), instant - foldOf(instant)).offset;
}

/**
 * When clocks in `zone` show `local`, in milliseconds since 1970 UTC. RFC 5545, section 3.3.5: a time that clocks show twice is the first
 * of the two; one that they skip is read with the offset from before the gap (02:30 becomes 03:30).
 *
 * @param local as `localTime` gives it
 * @throws RangeError when there is no such zone
 */
export function instantOf(local: number, zone: string): number {
  return resolve(local, zone, (_gap, readBefore) => readBefore);
}

/**
 * The first moment of the date that begins at the local midnight `local`: midnight, or the end of the gap when clocks skip midnight. For
 * a date that a zone left out altogether, the first moment of the next.
 *
 * @throws RangeError when there is no such zone
 */
export function startOfDate(local: number, zone: string): number {
  return resolve(local, zone, (gap) => gap);
}

/**
 * The smallest and the largest offset of `zone` (milliseconds east of UTC) between two instants.
 *
 * @throws RangeError when there is no such zone
 */
export function offsetsBetween(from: number, to: number, zone: string): { least: number; most: number } {
  const table = zoneNamed(zone);
  const fold = foldOf(from);
  // A whole cycle shows all there is.
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

/** A change of a zone's clocks; offsets in milliseconds east of UTC. */
export interface Transition {
  /** Milliseconds since 1970 UTC. */
  at: number;
  before: number;
  after: number;
}

/**
 * The changes of a zone's clocks from `from` (inclusive) to `to`, in order; at most those of 400 years.
 *
 * @throws RangeError when there is no such zone
 */
export function transitionsBetween(from: number, to: number, zone: string): Transition[] {
  const table = zoneNamed(zone);
  const fold = foldOf(from);
  const end = Math.min(to - fold, from - fold + gregorianCycle);
  const found: Transition[] = [];
  // Of a change at the very beginning, the offset before it is wanted.
  let piece = pieceAt(table, from - fold - 1);
  while (piece.end < end) {
    const next = pieceAt(table, piece.end);
    // A border of what is kept together is no change.
    if (next.offset !== piece.offset) found.push({ at: piece.end + fold, before: piece.offset, after: next.offset });
    piece = next;
  }
  return found;
}

/** @param inGap chooses for a skipped time, of the moment of the gap and of the time as read with the offset before it */
function resolve(local: number, name: string, inGap: (gap: number, readBefore: number) => number): number {
  const zone = zoneNamed(name);
  // Offsets are smaller than a day, so the answer is later than this.
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

/** What to subtract of a time to get to the same time of an equal year below `foldFrom`. */
function foldOf(time: number): number {
  return time < foldFrom ? 0 : Math.ceil((time - foldFrom + 1) / gregorianCycle) * gregorianCycle;
}

function zoneNamed(name: string): Zone {
  const known = zones.get(name);
  if (known) return known;
  // Newer runtimes take offsets for names.
  if (!/^[A-Za-z]/.test(name)) throw new RangeError(`Unknown time zone: ${name.slice(0, 60)}`);
  const format = new Intl.DateTimeFormat('en-US', { timeZone: name, timeZoneName: 'longOffset', year: 'numeric' });
  const zone: Zone = { format, blocks: new Map<number, Piece[]>() };
  zones.set(name, zone);
  return zone;
}

function pieceAt(zone: Zone, instant: number): Piece {
  const time = instant < beginning ? beginning : instant;
  const index = Math.floor(time / blockLength);
  const block = zone.blocks.get(index) ?? learnBlock(zone, index);
  for (const piece of block) if (time < piece.end) return piece;
  throw new RangeError(`Not a time: ${instant}`);
}

function learnBlock(zone: Zone, index: number): Piece[] {
  if (++blocksKept > maximumBlocks) {
    for (const { blocks } of zones.values()) blocks.clear();
    blocksKept = 1;
  }
  const end = (index + 1) * blockLength;
  const pieces: Piece[] = [];
  let from = index * blockLength;
  let offset = offsetAt(zone, from);
  while (from < end) {
    const to = Math.min(from + stride, end);
    const next = offsetAt(zone, to);
    if (next !== offset) pieces.push({ end: changeBetween(zone, from, to, offset), offset });
    from = to;
    offset = next;
  }
  // A change at the border itself belongs to the next block, which begins with it.
  if (pieces.at(-1)?.end !== end) pieces.push({ end, offset });
  zone.blocks.set(index, pieces);
  return pieces;
}

/** The moment after `from` at which the offset stops being `offset`; zones change at full seconds. */
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
 * Straight from the runtime's time-zone data, in milliseconds. Temporal has it from there as well, at five times the cost, and keeps each
 * answer for ever.
 */
function offsetAt(zone: Zone, instant: number): number {
  const [, sign, hours, minutes, seconds] = /GMT(?:([+-])(\d\d):(\d\d)(?::(\d\d))?)?$/.exec(zone.format.format(instant)) ?? [];
  if (sign === undefined) return 0;
  const size = Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds ?? 0);
  return (sign === '-' ? -size : size) * 1000;
}
