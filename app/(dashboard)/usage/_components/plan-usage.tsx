import { useId } from 'react';
import { CopyButton } from '@/app/_kit/copy-button';
import { SectionCard } from '@/app/_kit/section-card';
import { StatusBadge } from '@/app/_kit/status-badge';
import { useViewerLocale } from '@/app/_kit/viewer-format';
import type { Meter, UsageOverview } from '@/server/features/usage/usage.schema';
import { plans } from '@/server/platform/plan';
import {
  compact,
  countOf,
  estimate,
  formatPercent,
  type MeterState,
  type MeterView,
  type Metric,
  metricLabels,
  toMeterView,
} from './figures';

interface PlanUsageProps {
  overview: Pick<UsageOverview, 'stats' | 'projection'>;
  /** The identity's handle, for the command that changes the plan. */
  handle: string;
}

/** This month, and how to change the plan. */
export function PlanUsage({ overview: { stats, projection }, handle }: PlanUsageProps) {
  const choices = `${plans.slice(0, -1).join(', ')} or ${plans.at(-1)}`;
  const command = `npm run -s admin -- identity set-plan --handle ${handle} --plan <plan>`;
  const message = `Please change the plan of ${handle} to ${choices}: ${command}`;
  return (
    <SectionCard title="This month" description="Counted per UTC month. Going over your plan doesn’t interrupt AI usage.">
      <div className="flex flex-col gap-6">
        <UsageMeter metric="tokens" meter={stats.tokenUsage} projection={projection.tokens} />
        <UsageMeter metric="executions" meter={stats.executions} projection={projection.executions} />
      </div>
      <div className="mt-6 border-t border-separator pt-4">
        <p className="mb-3 max-w-[68ch] text-label text-muted">Ask your administrator to change your plan.</p>
        <CopyButton value={message} label="Copy message" showLabel variant="secondary" size="sm" />
      </div>
    </SectionCard>
  );
}

interface UsageMeterProps {
  metric: Metric;
  meter: Meter;
  /** Projected use at the end of the month. */
  projection: number;
}

/** This month's usage of one metric: a bar with the plan's limit and the projection, and the same as text. */
function UsageMeter({ metric, meter, projection }: UsageMeterProps) {
  const headingId = useId();
  const locale = useViewerLocale();
  const view = toMeterView(meter.current, meter.limit, projection);
  const number = new Intl.NumberFormat(locale);
  const used = number.format(meter.current);
  const amount =
    view.state === 'unlimited'
      ? `${countOf(meter.current, metric, used)}, unlimited on this plan`
      : `${used} of ${countOf(meter.limit, metric, number.format(meter.limit))}, ${formatPercent(meter.percentage, locale)}`;
  const projectionText = describeProjection(view.state, meter, projection, locale);
  return (
    <div>
      <div className="flex min-h-5 items-center gap-2">
        <h3 id={headingId} className="font-medium">
          {metricLabels[metric]}
        </h3>
        {view.state === 'over' && <StatusBadge tone="danger">Over plan</StatusBadge>}
        {view.state === 'heading-over' && <StatusBadge tone="warning">On track to exceed plan</StatusBadge>}
        {view.state === 'unlimited' && <StatusBadge tone="neutral">Unlimited</StatusBadge>}
      </div>
      {view.state !== 'unlimited' && (
        <meter
          className="sr-only"
          aria-labelledby={headingId}
          min={0}
          value={meter.current}
          max={Math.max(meter.limit, meter.current)}
          aria-valuetext={`${amount}. ${projectionText}`}
        />
      )}
      <Bar view={view} endLabel={`Limit ${number.format(meter.limit)}`} />
      <p className="flex flex-wrap justify-between gap-x-4 gap-y-0.5">
        <span>{amount}</span>
        <span className={projectionColours[view.state]}>{projectionText}</span>
      </p>
    </div>
  );
}

const projectionColours: Record<MeterState, string> = {
  within: 'text-muted',
  unlimited: 'text-muted',
  'heading-over': 'text-warning-text',
  over: 'text-danger-text',
};

/** The projection as text. */
function describeProjection(state: MeterState, { current, limit }: Meter, projection: number, locale: string): string {
  if (current === 0) return 'No usage this month';
  const pace = `Projected this month: ${compact(estimate(projection, current), locale, 'word')}`;
  if (state === 'over') return `${compact(current - limit, locale, 'word')} over plan. ${pace}`;
  if (state === 'heading-over') return `${pace}, more than your plan includes`;
  return pace;
}

const fills: Record<MeterState, { used: string; hatch: string }> = {
  within: { used: 'bg-accent', hatch: 'text-accent' },
  unlimited: { used: 'bg-accent', hatch: 'text-accent' },
  'heading-over': { used: 'bg-accent', hatch: 'text-warning' },
  over: { used: 'bg-danger', hatch: 'text-danger' },
};

/** The visual bar: solid for usage, hatched for the projection, a mark at the plan's limit. */
function Bar({ view: { state, used, projected, end }, endLabel }: { view: MeterView; endLabel: string }) {
  const fill = fills[state];
  return (
    <div aria-hidden className={`relative mt-2 ${end === null ? 'mb-2' : 'mb-7'}`}>
      <div className={`flex h-6 overflow-hidden bg-default ${end === null ? 'rounded-l-md mask-r-from-80%' : 'rounded-md'}`}>
        <div className={`shrink-0 ${fill.used}`} style={{ width: `${used}%` }} />
        <div
          className={`shrink-0 bg-[repeating-linear-gradient(135deg,currentColor_0_2px,transparent_2px_7px)] ${fill.hatch}`}
          style={{ width: `${projected - used}%` }}
        />
      </div>
      {end !== null && (
        <>
          <div className="absolute -top-1 h-8 w-0.5 -translate-x-full bg-foreground" style={{ left: `max(${end}%, 2px)` }} />
          <div
            className="absolute top-7 text-xs whitespace-nowrap text-muted"
            style={end > 40 ? { right: `${100 - end}%` } : { left: `${end}%` }}
          >
            {endLabel}
          </div>
        </>
      )}
    </div>
  );
}
