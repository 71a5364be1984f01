import { nextStart } from '@/server/platform/ical/recurrence';
import type { Occurrence, Series } from '@/server/platform/ical/series';

/** When reminders are due; pure. Times are milliseconds since 1970. */

const minute = 60_000;

/** A reminder of one occurrence. */
export interface DueReminder {
  dueAt: number;
  occurrence: Occurrence;
}

/** The first reminder of one lead (minutes before the start) due after a moment; null where there is none any more. */
function nextOf(series: Series, lead: number, after: number): DueReminder | null {
  const occurrence = nextStart(series, after + lead * minute);
  return occurrence && { dueAt: occurrence.start - lead * minute, occurrence };
}

/** When the first reminder after a moment is due; null where there is none any more. */
export function nextDue(series: Series, leads: readonly number[], after: number): number | null {
  const due = leads.map((lead) => nextOf(series, lead, after)?.dueAt).filter((dueAt) => dueAt !== undefined);
  return due.length === 0 ? null : Math.min(...due);
}

/** A reminder that is late is still worth sending until this long after the start. */
const grace = 15 * minute;

/**
 * What is to be sent now: of each occurrence that has a reminder due since `after` and is still to come, one, however many were due
 * while nobody was there to send them.
 */
export function dueReminders(series: Series, leads: readonly number[], after: number, now: number): Occurrence[] {
  const due = new Map<number, Occurrence>();
  // Each lead by itself: two may be due at one moment, of different occurrences.
  for (const lead of leads) {
    // What was due before this concerns occurrences that are over: a year of absence is not walked through.
    let from = Math.max(after, now - lead * minute - grace);
    for (let next = nextOf(series, lead, from); next && next.dueAt <= now; next = nextOf(series, lead, from)) {
      if (next.occurrence.start > now - grace) due.set(next.occurrence.start, next.occurrence);
      from = next.dueAt;
    }
  }
  return [...due.values()].sort((a, b) => a.start - b.start);
}
