import { useId } from 'react';
import { SectionCard } from '@/app/_components/section-card';
import { StatusBadge } from '@/app/_components/status-badge';
import { useViewerLocale } from '@/app/_components/viewer-format';
import type { Meter, UsageStats } from '@/server/modules/usage/usage.schema';
import { compact, formatPercent } from '../../usage/_components/figures';
import { type MeterTone, meterTone } from './attention';
import { CardLink } from './card-link';

/** This month's two meters against the plan, for a glance. */
export function UsageCard({ usage: { plan, tokenUsage, executions } }: { usage: UsageStats }) {
  return (
    <SectionCard
      title="Usage"
      description={`This month on the ${plan} plan`}
      actions={<CardLink href="/usage">Details</CardLink>}
    >
      <div className="flex flex-col gap-4">
        <SmallMeter title="Tokens" meter={tokenUsage} />
        <SmallMeter title="Executions" meter={executions} />
      </div>
    </SectionCard>
  );
}

const fills: Record<MeterTone, string> = { within: 'bg-accent', nearly: 'bg-warning', over: 'bg-danger' };

function SmallMeter({ title, meter }: { title: string; meter: Meter }) {
  const headingId = useId();
  const locale = useViewerLocale();
  const tone = meterTone(meter);
  const { current, limit, percentage } = meter;
  const used = compact(current, locale, 'letter');
  const amount =
    limit < 0 ? `${used}, unlimited` : `${used} of ${compact(limit, locale, 'letter')}, ${formatPercent(percentage, locale)}`;
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
          <div aria-hidden className="mt-1.5 h-2 overflow-hidden rounded-sm bg-default">
            <div className={`h-full ${fills[tone]}`} style={{ width: `${Math.min(100, percentage)}%` }} />
          </div>
        </>
      )}
    </div>
  );
}
