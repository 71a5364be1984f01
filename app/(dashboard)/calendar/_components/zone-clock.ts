/**
 * Between moments and what the clock on a wall shows in a time zone. Everything is in milliseconds; a wall time is counted as if the
 * wall were in UTC, so dates and times can be calculated with. A zone that `Intl` does not know is a RangeError.
 */

export const dayLength = 86_400_000;

const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone);
  if (known) return known;
  const made = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' });
  formats.set(timeZone, made);
  return made;
}

/** How far the clocks of a zone are ahead of UTC. */
function offsetAt(at: number, timeZone: string): number {
  const text = formatOf(timeZone).format(at);
  const [, sign, hours, minutes, seconds = '0'] = /GMT([+\-\u2212])(\d\d):(\d\d)(?::(\d\d))?/.exec(text) ?? [];
  const offset = Number(hours ?? 0) * 3_600_000 + Number(minutes ?? 0) * 60_000 + Number(seconds) * 1000;
  return sign === '+' ? offset : -offset;
}

/** What the clock shows at a moment. */
export function wallTime(at: number, timeZone: string): number {
  return at + offsetAt(at, timeZone);
}

/**
 * When the clock shows a time: the first of two where clocks are put back, and where they skip it, the moment it would have been
 * without that (RFC 5545, section 3.3.5).
 */
export function momentOf(wall: number, timeZone: string): number {
  const before = offsetAt(wall - dayLength, timeZone);
  const after = offsetAt(wall + dayLength, timeZone);
  const isShown = (offset: number) => offsetAt(wall - offset, timeZone) === offset;
  return isShown(before) || !isShown(after) ? wall - before : wall - after;
}

/** The date of a wall time: `2026-11-24`. */
export function dateOfWall(wall: number): string {
  return new Date(wall).toISOString().slice(0, 10);
}

/** The midnight a date begins with, as a wall time. */
export function wallOfDate(date: string): number {
  return Date.parse(`${date}T00:00:00Z`);
}

/** The date some days later, or earlier. */
export function addDays(date: string, days: number): string {
  return dateOfWall(wallOfDate(date) + days * dayLength);
}

/** The zone this browser is in. */
export function viewerZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** Today's date where the viewer is. */
export function viewerToday(now = Date.now()): string {
  return dateOfWall(wallTime(now, viewerZone()));
}
