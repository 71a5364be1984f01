/** Months of the Gregorian calendar, counted from January of year 0; local times are milliseconds as if UTC. */

const gregorianCycle = 146_097 * 86_400_000;

/** The month `local` lies in. */
export function monthOf(local: number): number {
  const date = new Date(local);
  return date.getUTCFullYear() * 12 + date.getUTCMonth();
}

/** The first midnight of `month`. */
export function startOfMonth(month: number): number {
  // Date.UTC takes the years 0 to 99 for 1900 to 1999; those four centuries later are as long.
  return Date.UTC(400, month) - gregorianCycle;
}
