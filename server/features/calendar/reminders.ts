import { nextStart } from '@/server/platform/ical/recurrence';
import type { Occurrence, Series } from '@/server/platform/ical/series';

/** Due times of reminders; pure. Times are milliseconds since 1970. */

const minute = 60_000;

/** A reminder of one occurrence. */
export interface DueReminder {
  dueAt: number;
  occurrence: Occurrence;
}

/** The first reminder of one lead (minutes before the start) due after a moment; null if there are no more. */
function nextOf(series: Series, lead: number, after: number): DueReminder | null {
  const occurrence = nextStart(series, after + lead * minute);
  return occurrence && { dueAt: occurrence.start - lead * minute, occurrence };
}

/** When the first reminder after a moment is due; null if there are no more. */
export function nextDue(series: Series, leads: readonly number[], after: number): number | null {
  const due = leads.map((lead) => nextOf(series, lead, after)?.dueAt).filter((dueAt) => dueAt !== undefined);
  return due.length === 0 ? null : Math.min(...due);
}

/** A late reminder is still sent up to this long after the start. */
const grace = 15 * minute;

/**
 * The reminders to send now: one for each upcoming occurrence with any reminder due since `after`, even if several were missed.
 */
export function dueReminders(series: Series, leads: readonly number[], after: number, now: number): Occurrence[] {
  const due = new Map<number, Occurrence>();
  // Separately for each lead: two may be due at the same moment, for different occurrences.
  for (const lead of leads) {
    // Earlier reminders concern past occurrences; skipping them bounds the work after a long downtime.
    let from = Math.max(after, now - lead * minute - grace);
    for (let next = nextOf(series, lead, from); next && next.dueAt <= now; next = nextOf(series, lead, from)) {
      if (next.occurrence.start > now - grace) due.set(next.occurrence.start, next.occurrence);
      from = next.dueAt;
    }
  }
  return [...due.values()].sort((a, b) => a.start - b.start);
}
