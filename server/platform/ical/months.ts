/** Months of the Gregorian calendar, counted from January of year 0; local times are milliseconds as if UTC. */

const gregorianCycle = 146_097 * 86_400_000;

/** From 1 March of year 0, when a cycle begins, to 1970. */
const daysBefore1970 = 719_468;

/**
 * The month `local` lies in.
 *
 * By arithmetic on years that begin in March (so a leap day is a year's last): a Date for each costs several times as much, and a search for
 * series needs some of them.
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
  // Date.UTC takes the years 0 to 99 for 1900 to 1999; those four centuries later are as long.
  return Date.UTC(400, month) - gregorianCycle;
}
