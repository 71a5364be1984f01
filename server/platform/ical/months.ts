/** Months of the Gregorian calendar, counted from January of year 0; local times are milliseconds as if UTC. */

const gregorianCycle = 146_097 * 86_400_000;

/** Days from 1 March of year 0, when a 400-year cycle begins, to 1970. */
const daysBefore1970 = 719_468;

/**
 * The month of `local`.
 * Uses arithmetic on years that begin in March, so that a leap day is the year's last: a Date costs several times as much, and
 * searching series needs many.
 */
export function monthOf(local: number): number {
  const days = Math.floor(local / 86_400_000) + daysBefore1970;
  const cycle = Math.floor(days / 146_097);
  const day = days - cycle * 146_097;
  const year = Math.floor((day - Math.floor(day / 1460) + Math.floor(day / 36_524) - Math.floor(day / 146_096)) / 365);
  const dayOfYear = day - (365 * year + Math.floor(year / 4) - Math.floor(year / 100));
  return (cycle * 400 + year) * 12 + Math.floor((5 * dayOfYear + 2) / 153) + 2;
}

/** The first midnight of `month`. */
export function startOfMonth(month: number): number {
  // Date.UTC maps the years 0 to 99 to 1900 to 1999; years four centuries later have the same lengths.
  return Date.UTC(400, month) - gregorianCycle;
}
