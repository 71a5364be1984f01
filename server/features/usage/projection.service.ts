import type { UsageOverview, UsageStats } from './usage.schema';

/**
 * Extrapolates usage to the end of a month at its rate so far.
 *
 * @param current used since `start`
 * @returns at least `current`; `current` itself in the month's first hour, which is too short to extrapolate
 */
export function projectToEnd(current: number, start: Date, end: Date, now: Date): number {
  const elapsed = now.getTime() - start.getTime();
  const hour = 3_600_000;
  if (elapsed < hour) return current;
  return Math.max(current, Math.round((current * (end.getTime() - start.getTime())) / elapsed));
}

/** The projected usage at the end of the month of `stats`. */
export function projectUsage({ period, tokenUsage, executions }: UsageStats, now: Date): UsageOverview['projection'] {
  const [start, end] = [new Date(period.start), new Date(period.end)];
  return {
    tokens: projectToEnd(tokenUsage.current, start, end, now),
    executions: projectToEnd(executions.current, start, end, now),
  };
}
