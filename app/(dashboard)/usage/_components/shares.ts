import type { UsageOverview } from '@/server/features/usage/usage.schema';
import { type Consumption, type Metric, shareOf } from './figures';

type Breakdown = UsageOverview['byAgent'];

export interface ShareRow extends Consumption {
  key: string;
  name: string;
  /** `given` names something, `missing` is usage reported without a name, `rest` sums up what is not listed. */
  kind: 'given' | 'missing' | 'rest';
  agentId: string | null;
  /** In percent of everything in the breakdown. */
  share: number;
}

/** Tokens decide what is a large share; where none were reported, executions do. */
export function decidingMetric({ shares, rest }: Breakdown): Metric {
  return [...shares, ...(rest ? [rest] : [])].some(({ tokens }) => tokens > 0) ? 'tokens' : 'executions';
}

/** The rows of a breakdown's table, with what each is of the whole. */
export function toShareRows(breakdown: Breakdown): ShareRow[] {
  const metric = decidingMetric(breakdown);
  const rest = breakdown.rest ? [{ ...breakdown.rest, name: 'Other', agentId: null, kind: 'rest' as const }] : [];
  const shares = breakdown.shares.map((share) =>
    share.name === '' ? { ...share, name: 'Not given', kind: 'missing' as const } : { ...share, kind: 'given' as const },
  );
  const all = [...shares, ...rest];
  const whole = all.reduce((sum, row) => sum + row[metric], 0);
  return all.map((row) => ({ ...row, key: `${row.kind} ${row.agentId ?? row.name}`, share: shareOf(row[metric], whole) }));
}

/** True where neither this month nor the days of the chart know of any usage. */
export function isUnused({ stats, days }: Pick<UsageOverview, 'stats' | 'days'>): boolean {
  const isZero = ({ tokens, executions }: Consumption) => tokens === 0 && executions === 0;
  return isZero({ tokens: stats.tokenUsage.current, executions: stats.executions.current }) && days.every(isZero);
}

export type DailyState = 'fine' | 'nearly' | 'reached';

/** How a key stands against its daily limit; from four fifths on it is worth a look. */
export function dailyState(requests: number, limit: number): DailyState {
  if (requests >= limit) return 'reached';
  return requests >= limit * 0.8 ? 'nearly' : 'fine';
}
