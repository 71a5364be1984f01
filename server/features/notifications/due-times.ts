import { dayLength, localTime, startOfDate, transitionsBetween } from '@/server/platform/ical/zones';
import type { Channels, QuietHours } from './notification.schema';

/** When emails and pushes may leave. Times are milliseconds since 1970 UTC. */

/** What a person's own time depends on. */
export interface PersonalClock {
  /** IANA name. */
  zone: string;
  quietHours: QuietHours | null;
}

const minute = 60_000;

/** When the daily email leaves, in the person's time zone. */
const digestTime = 8 * 60 * minute;

/** Milliseconds after midnight of `22:00`. */
function timeOfDay(text: string): number {
  const [hours = 0, minutes = 0] = text.split(':').map(Number);
  return (hours * 60 + minutes) * minute;
}

const startOfDay = (local: number) => Math.floor(local / dayLength) * dayLength;

/** The local time at which the quiet hours end that contain `local`; null if none do. */
function quietUntil(local: number, { from, to }: QuietHours): number | null {
  const [start, end] = [timeOfDay(from), timeOfDay(to)];
  const day = startOfDay(local);
  const time = local - day;
  if (start < end) return time >= start && time < end ? day + end : null;
  if (time < end) return day + end;
  return time >= start ? day + dayLength + end : null;
}

/** The first moment from `instant` on that is outside the quiet hours, whose end a clock change may skip or repeat. */
export function afterQuietHours(instant: number, { zone, quietHours }: PersonalClock): number {
  if (quietHours === null) return instant;
  let at = instant;
  for (;;) {
    const local = localTime(at, zone);
    const end = quietUntil(local, quietHours);
    if (end === null) return at;
    const straight = at + end - local;
    const [change] = transitionsBetween(at + 1, straight, zone);
    at = change?.at ?? straight;
  }
}

/** When the next daily email leaves: at 08:00, or when the quiet hours end, if that is later. */
export function nextDigest(instant: number, clock: PersonalClock): number {
  let day = startOfDay(localTime(instant, clock.zone));
  for (;;) {
    const at = startOfDate(day + digestTime, clock.zone);
    // A date that the zone skipped has no morning.
    if (at > instant && startOfDay(localTime(at, clock.zone)) === day) return afterQuietHours(at, clock);
    day += dayLength;
  }
}

export interface DueTimes {
  /** Null: not mailed. */
  mail: number | null;
  /** Null: not pushed. */
  push: number | null;
}

/** When a notification of `now` is mailed and pushed. */
export function dueTimes({ email, push }: Channels, clock: PersonalClock, now: number): DueTimes {
  const soon = () => afterQuietHours(now, clock);
  return {
    mail: email === 'off' ? null : email === 'daily' ? nextDigest(now, clock) : soon(),
    push: push ? soon() : null,
  };
}
