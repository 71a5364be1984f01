import { useId } from 'react';
import { SectionCard } from '@/app/_kit/section-card';
import { StatusBadge } from '@/app/_kit/status-badge';
import { useViewerLocale } from '@/app/_kit/viewer-format';
import type { Home } from '@/server/features/home/home.schema';
import type { Meter } from '@/server/features/usage/usage.schema';
import { compact, estimate, formatPercent } from '../../usage/_components/figures';
import { toMeterView } from '../../usage/_components/meter-view';
import { type MeterTone, meterTone } from './attention';
import { CardLink } from './card-link';

/** This month's two meters against the plan and where they are heading, for a glance. */
export function UsageCard({ usage: { plan, tokenUsage, executions }, projection }: Pick<Home, 'usage' | 'projection'>) {
  return (
    <SectionCard
      title="Usage"
      description={`This month on the ${plan} plan`}
      actions={<CardLink href="/usage">Details</CardLink>}
    >
      <div className="flex flex-col gap-4">
        <SmallMeter title="Tokens" meter={tokenUsage} projection={projection.tokens} />
        <SmallMeter title="Executions" meter={executions} projection={projection.executions} />
      </div>
    </SectionCard>
  );
}

const fills: Record<MeterTone, { used: string; hatch: string }> = {
  within: { used: 'bg-accent', hatch: 'text-accent' },
  nearly: { used: 'bg-warning', hatch: 'text-warning' },
  over: { used: 'bg-danger', hatch: 'text-danger' },
};

interface SmallMeterProps {
  title: string;
  meter: Meter;
  /** What the month will have used at its end if it goes on like this. */
  projection: number;
}

function SmallMeter({ title, meter, projection }: SmallMeterProps) {
  const headingId = useId();
  const locale = useViewerLocale();
  const tone = meterTone(meter);
  const { current, limit, percentage } = meter;
  const view = toMeterView(current, limit, projection);
  const isHeadingOver = view.state === 'heading-over';
  const used = compact(current, locale, 'letter');
  const amount =
    limit < 0 ? `${used}, unlimited` : `${used} of ${compact(limit, locale, 'letter')}, ${formatPercent(percentage, locale)}`;
  const outlook = current > 0 ? `About ${compact(estimate(projection, current), locale, 'letter')} by the end of the month` : '';
  return (
    <div>
      <div className="flex min-h-5 flex-wrap items-center gap-x-2 text-label">
        <h3 id={headingId} className="font-medium">
          {title}
        </h3>
        {tone === 'nearly' && <StatusBadge tone="warning">Nearly used up</StatusBadge>}
        {tone === 'over' && <StatusBadge tone="danger">Over the plan</StatusBadge>}
        <span className="ml-auto text-muted">{amount}</span>
      </div>
      {limit >= 0 && (
        <>
          <meter
            className="sr-only"
            aria-labelledby={headingId}
            min={0}
            value={current}
            max={Math.max(limit, current)}
            aria-valuetext={amount}
          />
          <div aria-hidden className="mt-1.5 flex h-2 overflow-hidden rounded-sm bg-default">
            <div className={`shrink-0 ${fills[tone].used}`} style={{ width: `${Math.min(100, percentage)}%` }} />
            <div
              className={`min-w-0 bg-[repeating-linear-gradient(135deg,currentColor_0_1px,transparent_1px_4px)] ${
                isHeadingOver ? 'text-warning' : fills[tone].hatch
              }`}
              style={{ width: `${view.state === 'within' ? view.projected - view.used : isHeadingOver ? 100 - percentage : 0}%` }}
            />
          </div>
        </>
      )}
      {outlook && (
        <p className={`mt-1 text-xs ${isHeadingOver ? 'text-warning-text' : 'text-muted'}`}>
          {outlook}
          {isHeadingOver && ', more than the plan includes'}
        </p>
      )}
    </div>
  );
}
