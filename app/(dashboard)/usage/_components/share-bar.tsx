import { StatusBadge } from '@/app/_kit/status-badge';
import type { QuotaView } from './figures';

const fills = { accent: 'bg-accent', neutral: 'bg-border-tertiary', warning: 'bg-warning', danger: 'bg-danger' };

interface ShareBarProps {
  percent: number;
  tone?: keyof typeof fills;
}

/** A thin bar beside a number with the same value, hidden from screen readers. */
export function ShareBar({ percent, tone = 'accent' }: ShareBarProps) {
  return (
    <span aria-hidden className="block h-1 overflow-hidden rounded-full bg-default">
      <span className={`block h-full rounded-full ${fills[tone]}`} style={{ width: `${Math.min(percent, 100)}%` }} />
    </span>
  );
}

const quotaTones = { fine: 'accent', nearly: 'warning', reached: 'danger', unlimited: 'accent' } as const;

/** The used share of a quota. */
export function QuotaBar({ state, percent }: QuotaView) {
  return <ShareBar percent={percent} tone={quotaTones[state]} />;
}

/** Says that a quota is used up, or nearly. */
export function QuotaBadge({ state }: { state: QuotaView['state'] }) {
  if (state === 'reached') return <StatusBadge tone="danger">Used up</StatusBadge>;
  return state === 'nearly' ? <StatusBadge tone="warning">Almost used up</StatusBadge> : null;
}
