'use client';

import { SectionCard } from '@/app/_kit/section-card';
import { StatusBadge } from '@/app/_kit/status-badge';
import { useViewerLocale } from '@/app/_kit/viewer-format';
import type { UsageOverview } from '@/server/features/usage/usage.schema';
import { formatBytes, type QuotaView, toQuotaView } from './quota-view';
import { ShareBar } from './share-bar';

type Quota = UsageOverview['quotas']['mails'];

/** What the plan includes of email and storage, and what is used of it. */
export function Quotas({ quotas, plan }: { quotas: UsageOverview['quotas']; plan: string }) {
  const locale = useViewerLocale();
  const number = new Intl.NumberFormat(locale);
  const count = (value: number) => number.format(value);
  const size = (value: number) => formatBytes(value, locale);
  return (
    <SectionCard
      title="Email and storage"
      description={`What the ${plan} plan includes. Emails are counted by UTC day; beyond a limit nothing more is sent or stored.`}
    >
      <div className="grid gap-x-8 gap-y-5 sm:grid-cols-3">
        <QuotaMeter title="Emails today" quota={quotas.mails} format={count} />
        <QuotaMeter title="Recipients today" quota={quotas.recipients} format={count} />
        <QuotaMeter title="Storage" quota={quotas.storage} format={size} />
      </div>
    </SectionCard>
  );
}

const tones = { fine: 'accent', nearly: 'warning', reached: 'danger', unlimited: 'accent' } as const;

function QuotaMeter({ title, quota, format }: { title: string; quota: Quota; format: (value: number) => string }) {
  const { state, percent } = toQuotaView(quota);
  return (
    <div className="min-w-0">
      <div className="flex min-h-5 flex-wrap items-center gap-x-2 gap-y-0.5">
        <h3 className="font-medium">{title}</h3>
        <QuotaBadge state={state} />
      </div>
      <p className={`mt-0.5 ${state === 'unlimited' ? '' : 'mb-1.5'}`}>
        {format(quota.current)}
        <span className="text-muted">{state === 'unlimited' ? ', unlimited on this plan' : ` of ${format(quota.limit)}`}</span>
      </p>
      {state !== 'unlimited' && <ShareBar percent={percent} tone={tones[state]} />}
    </div>
  );
}

function QuotaBadge({ state }: { state: QuotaView['state'] }) {
  if (state === 'reached') return <StatusBadge tone="danger">Used up</StatusBadge>;
  return state === 'nearly' ? <StatusBadge tone="warning">Nearly used up</StatusBadge> : null;
}
