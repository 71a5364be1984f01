/** Within the plan, heading beyond it at this pace, beyond it, or without an end. */
export type MeterState = 'within' | 'heading-over' | 'over' | 'unlimited';

export interface MeterView {
  state: MeterState;
  /** What is used, in percent of the bar. */
  used: number;
  /** Where the month is heading, in percent of the bar; at least `used`. */
  projected: number;
  /** Where the plan ends, in percent of the bar; null where it does not. */
  end: number | null;
}

/**
 * How a meter is drawn. The bar is as long as the plan, or as what goes beyond it; without a limit the projection takes most of it
 * and nothing marks an end.
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
