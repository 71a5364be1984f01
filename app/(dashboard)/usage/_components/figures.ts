/** Figures as the usage page writes them: shares, percents and numbers rounded to be read at a glance. */

export const metrics = ['tokens', 'executions'] as const;

/** What is counted against the plan. */
export type Metric = (typeof metrics)[number];

export type Consumption = Record<Metric, number>;

const steps = [
  { size: 1e12, word: ' trillion', letter: 'T' },
  { size: 1e9, word: ' billion', letter: 'B' },
  { size: 1e6, word: ' million', letter: 'M' },
  { size: 1e3, word: ' thousand', letter: 'k' },
];

/**
 * A number with at most one decimal of its largest unit: "18.2 million", or "18.2M" where there is no room. Digits follow the viewer's
 * locale, words are English as all of the dashboard. In words, numbers below ten thousand stay whole.
 */
export function compact(value: number, locale: string, unit: 'word' | 'letter'): string {
  const smallest = unit === 'word' ? 10_000 : 1_000;
  // 999,950 would round to a thousand thousands, which is a million.
  const step = value < smallest ? undefined : steps.find(({ size }) => value >= size * 0.99995);
  const format = new Intl.NumberFormat(locale, { maximumFractionDigits: step ? 1 : 0 });
  return step ? `${format.format(value / step.size)}${step[unit]}` : format.format(value);
}

/** Whole percents, except that what is not quite all, or a little more, never reads as all. */
export function wholePercent(percent: number): number {
  const whole = Math.round(percent);
  if (whole !== 100 || percent === 100) return whole;
  return percent < 100 ? 99 : 101;
}

/** "62 %"; what would round to nothing without being nothing is "< 1 %". */
export function formatPercent(percent: number, locale: string): string {
  const whole = wholePercent(percent);
  if (percent > 0 && whole === 0) return `<\u00a0${formatPercent(1, locale)}`;
  return `${new Intl.NumberFormat(locale).format(whole)}\u00a0%`;
}

/** A projection with no more digits than it is worth: 1,301 is about 1,300; never less than what is used already. */
export function estimate(projection: number, current: number): number {
  return Math.max(current, Number(projection.toPrecision(3)));
}

/** What `part` is of `whole` in percent; 0 of nothing. */
export function shareOf(part: number, whole: number): number {
  return whole > 0 ? (part / whole) * 100 : 0;
}

/** "1 execution", "2,000 executions"; `number` is the value as it is to be written. */
export function countOf(value: number, metric: Metric, number: string): string {
  return `${number} ${value === 1 ? metric.slice(0, -1) : metric}`;
}
