import { nextStart } from '@/server/calendar/recurrence';
import type { Occurrence, Series } from '@/server/calendar/series';

/** When reminders are due; pure. Times are milliseconds since 1970. */

const minute = 60_000;

/** A reminder of one occurrence. */
export interface DueReminder {
  dueAt: number;
  occurrence: Occurrence;
}

/** The first reminder due after a moment; null where there is none any more. `leads` are minutes before the start. */
export function nextReminder(series: Series, leads: readonly number[], after: number): DueReminder | null {
  let next: DueReminder | null = null;
  for (const lead of leads) {
    const occurrence = nextStart(series, after + lead * minute);
    if (!occurrence) continue;
    const dueAt = occurrence.start - lead * minute;
    if (!next || dueAt < next.dueAt) next = { dueAt, occurrence };
  }
  return next;
}

/** A reminder that is late is still worth sending until this long after the start. */
const grace = 15 * minute;

/**
 * What is to be sent now: of each occurrence that has a reminder due since `after` and is still to come, one, however many were due
 * while nobody was there to send them.
 */
export function dueReminders(series: Series, leads: readonly number[], after: number, now: number): Occurrence[] {
  const longest = Math.max(0, ...leads) * minute;
  // What was due before this concerns occurrences that are over: a year of absence is not walked through.
  let from = Math.max(after, now - longest - grace);
  const due = new Map<number, Occurrence>();
  for (;;) {
    const next = nextReminder(series, leads, from);
    if (!next || next.dueAt > now) return [...due.values()];
    if (next.occurrence.start > now - grace) due.set(next.occurrence.start, next.occurrence);
    from = next.dueAt;
  }
}
