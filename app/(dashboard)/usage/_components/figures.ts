import { englishLocale } from '@/app/_kit/viewer-format';
import type { UsageOverview } from '@/server/features/usage/usage.schema';

/** A quota of the plan for display. */
export interface QuotaView {
  state: 'fine' | 'nearly' | 'reached' | 'unlimited';
  /** Used share of the quota, 0 to 100. */
  percent: number;
}

/** The threshold of a nearly used quota, in percent. */
const warningPercent = 80;

/** The state of a quota; a negative limit means unlimited. */
export function toQuotaView({ current, limit }: { current: number; limit: number }): QuotaView {
  if (limit < 0) return { state: 'unlimited', percent: 0 };
  const percent = limit === 0 ? 100 : Math.min(100, (current / limit) * 100);
  return { state: percent >= 100 ? 'reached' : percent >= warningPercent ? 'nearly' : 'fine', percent };
}

/** Numbers of the usage page: shares, percentages and rounded values. */

export const metrics = ['tokens', 'executions'] as const;

/** A metric that the plan limits. */
export type Metric = (typeof metrics)[number];

/** What people see for each metric. */
export const metricLabels: Record<Metric, string> = { tokens: 'AI tokens', executions: 'Tasks' };

export type Consumption = Record<Metric, number>;

const steps = [
  { size: 1e12, word: ' trillion', letter: 'T' },
  { size: 1e9, word: ' billion', letter: 'B' },
  { size: 1e6, word: ' million', letter: 'M' },
  { size: 1e3, word: ' thousand', letter: 'k' },
];

/**
 * A number with at most one decimal of its largest unit: "18.2 million", or "18.2M" if there is no room. Digits follow the
 * viewer's locale; words are English like the dashboard. In the long form, numbers below ten thousand stay whole.
 */
export function compact(value: number, locale: string, unit: 'word' | 'letter'): string {
  const smallest = unit === 'word' ? 10_000 : 1_000;
  // 999,950 would round to a thousand thousands, which is a million.
  const step = value < smallest ? undefined : steps.find(({ size }) => value >= size * 0.99995);
  const format = new Intl.NumberFormat(locale, { maximumFractionDigits: step ? 1 : 0 });
  return step ? `${format.format(value / step.size)}${step[unit]}` : format.format(value);
}

/** A whole percentage. Only values of exactly 100 round to 100. */
export function wholePercent(percent: number): number {
  const whole = Math.round(percent);
  if (whole !== 100 || percent === 100) return whole;
  return percent < 100 ? 99 : 101;
}

/** "62%" in the locale; a positive value that would round to 0 is "<1%". */
export function formatPercent(percent: number, locale: string): string {
  const whole = wholePercent(percent);
  if (percent > 0 && whole === 0) return `<${formatPercent(1, locale)}`;
  return new Intl.NumberFormat(locale, { style: 'percent' }).format(whole / 100);
}

/** A projection with only its significant digits: 1,301 becomes 1,300; never less than the current value. */
export function estimate(projection: number, current: number): number {
  return Math.max(current, Number(projection.toPrecision(3)));
}

/** `part` of `whole` in percent; 0 if both are 0. */
export function shareOf(part: number, whole: number): number {
  return whole > 0 ? (part / whole) * 100 : 0;
}

const nouns: Record<Metric, string> = { tokens: 'token', executions: 'task' };

/** "1 task", "2,000 tasks"; `number` is the formatted value. */
export function countOf(value: number, metric: Metric, number: string): string {
  return `${number} ${nouns[metric]}${value === 1 ? '' : 's'}`;
}

/** A UTC day of the chart. */
export interface DayRow {
  /** As returned by the server, e.g. "2026-11-21". */
  day: string;
  value: number;
}

/** The chart's bars: one metric on each day. */
export function toDayRows(days: readonly (Consumption & { day: string })[], metric: Metric): DayRow[] {
  return days.map((day) => ({ day: day.day, value: day[metric] }));
}

/** Formats a UTC day for the viewer. Usage is counted by UTC, so no zone applies. */
export function formatDay(day: string, locale: string, length: 'short' | 'long'): string {
  const options: Intl.DateTimeFormatOptions =
    length === 'short' ? { day: 'numeric', month: 'short' } : { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' };
  return new Date(`${day}T00:00:00Z`).toLocaleDateString(englishLocale(locale), { ...options, timeZone: 'UTC' });
}

/** "November 2026", from the first moment of a UTC month. */
export function formatMonth(start: string, locale: string): string {
  return new Date(start).toLocaleDateString(englishLocale(locale), { month: 'long', year: 'numeric', timeZone: 'UTC' });
}

/** Within the plan, projected to exceed it, exceeding it, or without a limit. */
export type MeterState = 'within' | 'heading-over' | 'over' | 'unlimited';

export interface MeterView {
  state: MeterState;
  /** Usage, in percent of the bar. */
  used: number;
  /** Projection, in percent of the bar; at least `used`. */
  projected: number;
  /** The plan's limit, in percent of the bar; null if unlimited. */
  end: number | null;
}

/**
 * The proportions of a meter. The bar is as long as the plan, or as the value that exceeds it. Without a limit the projection
 * takes most of it, and there is no mark.
 */
export function toMeterView(current: number, limit: number, projection: number): MeterView {
  const target = Math.max(current, projection);
  const isUnlimited = limit < 0;
  const length = isUnlimited ? target / 0.8 : Math.max(limit, target);
  const onBar = (value: number) => (length > 0 ? (value / length) * 100 : 0);
  return {
    state: isUnlimited ? 'unlimited' : current > limit ? 'over' : target > limit ? 'heading-over' : 'within',
    used: onBar(current),
    projected: onBar(target),
    end: isUnlimited ? null : length > 0 ? onBar(limit) : 100,
  };
}

type Breakdown = UsageOverview['byAgent'];

export interface ShareRow extends Consumption {
  key: string;
  name: string;
  /** `given` has a name, `missing` is usage reported without a name, `rest` sums up what is not listed. */
  kind: 'given' | 'missing' | 'rest';
  agentId: string | null;
  /** In percent of everything in the breakdown. */
  share: number;
}

/** The metric that shares are based on: tokens, or executions if no tokens were reported. */
export function decidingMetric({ shares, rest }: Breakdown): Metric {
  return [...shares, ...(rest ? [rest] : [])].some(({ tokens }) => tokens > 0) ? 'tokens' : 'executions';
}

/** The rows of a breakdown's table, each with its share. */
export function toShareRows(breakdown: Breakdown): ShareRow[] {
  const metric = decidingMetric(breakdown);
  const rest = breakdown.rest ? [{ ...breakdown.rest, name: 'Other', agentId: null, kind: 'rest' as const }] : [];
  const shares = breakdown.shares.map((share) =>
    share.name === '' ? { ...share, name: 'Unknown', kind: 'missing' as const } : { ...share, kind: 'given' as const },
  );
  const all = [...shares, ...rest];
  const whole = all.reduce((sum, row) => sum + row[metric], 0);
  return all.map((row) => ({ ...row, key: `${row.kind} ${row.agentId ?? row.name}`, share: shareOf(row[metric], whole) }));
}

/** True if there is no usage in this month or in the days of the chart. */
export function isUnused({ stats, days }: Pick<UsageOverview, 'stats' | 'days'>): boolean {
  const isZero = ({ tokens, executions }: Consumption) => tokens === 0 && executions === 0;
  return isZero({ tokens: stats.tokenUsage.current, executions: stats.executions.current }) && days.every(isZero);
}
