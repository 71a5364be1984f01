'use client';

import { useQuery } from '@tanstack/react-query';
import { ErrorState } from '@/app/_kit/error-state';
import { PageHeader } from '@/app/_kit/page-header';
import { RelativeTime } from '@/app/_kit/relative-time';
import { useViewerLocale } from '@/app/_kit/viewer-format';
import { useTRPC } from '@/app/_trpc/client';
import { BreakdownCard } from './breakdown-card';
import { DailyUsage } from './daily-usage';
import { formatMonth } from './days';
import { KeyRequests } from './key-requests';
import { NothingTracked } from './nothing-tracked';
import { PlanUsage } from './plan-usage';
import { Quotas } from './quotas';
import { isUnused } from './shares';
import { UsageSkeleton } from './usage-skeleton';

const refreshEvery = 30_000;

/** Usage against the plan, by day, by what used it, and by key. Follows what is reported while the page is in view. */
export function Usage() {
  const trpc = useTRPC();
  const locale = useViewerLocale();
  const overview = useQuery(trpc.home.usage.queryOptions({}, { refetchInterval: refreshEvery }));
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
            title="Usage could not be loaded"
            reassurance="What programs report is counted all the same."
          />
        </div>
      ) : !data || handle === undefined ? (
        <UsageSkeleton />
      ) : (
        <div className="flex flex-col gap-6">
          {overview.isError && (
            <p role="status" className="rounded-md bg-warning-soft px-3 py-2 text-warning-text">
              These figures could not be refreshed. Last refreshed <RelativeTime value={new Date(overview.dataUpdatedAt)} />.
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
                <BreakdownCard title="By operation" subject="Operation" breakdown={data.byOperation} days={data.days.length} />
              </div>
            </>
          )}
          <KeyRequests keys={data.keys} plan={data.stats.plan} />
        </div>
      )}
    </>
  );
}
