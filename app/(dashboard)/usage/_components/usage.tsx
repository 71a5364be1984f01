'use client';

import { useQuery } from '@tanstack/react-query';
import { Gauge } from 'lucide-react';
import Link from 'next/link';
import { CodeLine, useOrigin } from '@/app/_kit/code-line';
import { EmptyState } from '@/app/_kit/empty-state';
import { ErrorState } from '@/app/_kit/error-state';
import { formatBytes } from '@/app/_kit/format-bytes';
import { PageHeader } from '@/app/_kit/page-header';
import { RelativeTime } from '@/app/_kit/relative-time';
import { SectionCard } from '@/app/_kit/section-card';
import { useViewerLocale } from '@/app/_kit/viewer-format';
import { useTRPC } from '@/app/_trpc/client';
import type { UsageOverview } from '@/server/features/usage/usage.schema';
import { BreakdownCard } from './breakdown-card';
import { ChartSkeleton } from './chart-skeleton';
import { DailyUsage } from './daily-usage';
import { formatMonth, isUnused, toQuotaView } from './figures';
import { KeyRequests } from './key-requests';
import { PlanUsage } from './plan-usage';
import { QuotaBadge, QuotaBar } from './share-bar';

type Quota = UsageOverview['quotas']['mails'];

/** The plan's email and storage quotas, with their usage. */
function Quotas({ quotas, plan }: { quotas: UsageOverview['quotas']; plan: string }) {
  const locale = useViewerLocale();
  const number = new Intl.NumberFormat(locale);
  const count = (value: number) => number.format(value);
  const size = (value: number) => formatBytes(value, locale);
  return (
    <SectionCard
      title="Email and storage"
      description={`Included in the ${plan} plan. Emails are counted per UTC day. At the limit, sending and storage stop.`}
      actions={
        <Link href="/settings/data" className="text-label text-accent-text underline-offset-2 hover:underline">
          What takes the space
        </Link>
      }
    >
      <div className="grid gap-x-8 gap-y-5 sm:grid-cols-3">
        <QuotaMeter title="Emails today" quota={quotas.mails} format={count} />
        <QuotaMeter title="Recipients today" quota={quotas.recipients} format={count} />
        <QuotaMeter title="Storage" quota={quotas.storage} format={size} />
      </div>
    </SectionCard>
  );
}

function QuotaMeter({ title, quota, format }: { title: string; quota: Quota; format: (value: number) => string }) {
  const view = toQuotaView(quota);
  const { state } = view;
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
      {state !== 'unlimited' && <QuotaBar {...view} />}
    </div>
  );
}

const refreshMilliseconds = 30_000;

/** Usage against the plan, by day, by source, and by key. Updates while the page is visible. */
export function Usage() {
  const trpc = useTRPC();
  const locale = useViewerLocale();
  const overview = useQuery(trpc.home.usage.queryOptions({}, { refetchInterval: refreshMilliseconds }));
  const account = useQuery(trpc.account.get.queryOptions({}));
  const failed = [overview, account].find((query) => query.isError && query.data === undefined);
  const handle = account.data?.identities.find(({ id }) => id === account.data.identityId)?.handle;
  const data = overview.data;

  return (
    <>
      <PageHeader
        title="Usage"
        description={data && `${data.stats.plan} plan · ${formatMonth(data.stats.period.start, locale)}, UTC`}
      />
      {failed ? (
        <div className="rounded-lg border border-border bg-surface">
          <ErrorState
            error={failed.error}
            onRetry={() => void Promise.all([overview.refetch(), account.refetch()])}
            title="Couldn’t load usage"
            reassurance="Usage is still being counted."
          />
        </div>
      ) : !data || handle === undefined ? (
        <UsageSkeleton />
      ) : (
        <div className="flex flex-col gap-6">
          {overview.isError && (
            <p role="status" className="rounded-md bg-warning-soft px-3 py-2 text-warning-text">
              Couldn’t refresh these figures. Last updated <RelativeTime value={new Date(overview.dataUpdatedAt)} />.
            </p>
          )}
          <PlanUsage overview={data} handle={handle} />
          <Quotas quotas={data.quotas} plan={data.stats.plan} />
          {isUnused(data) ? (
            <NothingTracked days={data.days.length} />
          ) : (
            <>
              <DailyUsage days={data.days} />
              <div className="grid items-start gap-6 xl:grid-cols-3">
                <BreakdownCard title="By agent" subject="Agent" breakdown={data.byAgent} days={data.days.length} />
                <BreakdownCard title="By model" subject="Model" breakdown={data.byModel} days={data.days.length} />
                <BreakdownCard title="By action" subject="Action" breakdown={data.byOperation} days={data.days.length} />
              </div>
            </>
          )}
          <KeyRequests keys={data.keys} plan={data.stats.plan} />
        </div>
      )}
    </>
  );
}

/** Replaces chart and breakdowns until something is reported. */
function NothingTracked({ days }: { days: number }) {
  const record = '{"type":"token_usage","totalTokens":976,"model":"sonnet","operation":"reply"}';
  const curl = `curl -X POST -H "Authorization: Bearer $API_KEY" -H "Content-Type: application/json" -d '${record}' ${useOrigin()}/api/v1/usage/track`;
  return (
    <section className="rounded-lg border border-border bg-surface">
      <EmptyState
        icon={Gauge}
        title={`No usage in the last ${days} days`}
        description="Apps report AI tokens and tasks run through the API. They appear here by day, agent, model and action."
        action={
          <div className="max-w-2xl text-left">
            <CodeLine
              label="Report some tokens from a terminal, with one of your API keys"
              value={curl}
              copyLabel="Copy command"
            />
          </div>
        }
      />
    </section>
  );
}

function UsageSkeleton() {
  return (
    <div className="flex flex-col gap-6">
      <div role="status" aria-label="Loading usage" className="skeleton-late rounded-lg border border-border bg-surface p-5">
        {['tokens', 'executions'].map((meter) => (
          <div key={meter} className="py-3">
            <div className="h-3 w-24 animate-pulse rounded-sm bg-default" />
            <div className="mt-3 h-6 animate-pulse rounded-md bg-default" />
            <div className="mt-3 h-3 w-64 max-w-full animate-pulse rounded-sm bg-default" />
          </div>
        ))}
      </div>
      <div className="h-80 rounded-lg border border-border bg-surface p-5">
        <ChartSkeleton />
      </div>
    </div>
  );
}
