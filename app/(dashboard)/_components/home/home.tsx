'use client';

import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Button } from '@/app/_kit/button';
import { ErrorState } from '@/app/_kit/error-state';
import { RelativeTime } from '@/app/_kit/relative-time';
import { useIsHydrated } from '@/app/_kit/use-is-hydrated';
import { useViewerLocale } from '@/app/_kit/viewer-format';
import { useTRPC } from '@/app/_trpc/client';
import type { FirstSteps, Home as HomeData } from '@/server/features/home/home.schema';
import { englishLocale } from '../../calendar/_components/viewer-week';
import { AgentsCard } from './agents-card';
import { attentionOf } from './attention';
import { AttentionStrip } from './attention-strip';
import { DraftsCard } from './drafts-card';
import { FirstStepsCard } from './first-steps-card';
import { HomeSkeleton } from './home-skeleton';
import { NewestCustomers } from './newest-customers';
import { NothingNeeded } from './nothing-needed';
import { TodayCard } from './today-card';
import { UrgentConversations } from './urgent-conversations';
import { UsageCard } from './usage-card';
import { useHome } from './use-home';
import { usePutAway } from './use-put-away';

/** What needs the owner now, and what is worth doing next. */
export function Home() {
  const trpc = useTRPC();
  const account = useQuery(trpc.account.get.queryOptions({}));
  const { home, firstSteps } = useHome();
  const identity = account.data?.identities.find(({ id }) => id === account.data.identityId);

  const failed = [home, account].find((query) => query.isError && query.data === undefined);
  if (failed) {
    const retry = () => void Promise.all([home, account, firstSteps].map((query) => query.refetch()));
    return (
      <>
        <h1 className="mb-6 text-display font-semibold tracking-tight">Home</h1>
        <div className="rounded-lg border border-border bg-surface">
          <ErrorState error={failed.error} onRetry={retry} title="Home could not be loaded" />
        </div>
      </>
    );
  }
  if (!home.data || !identity) return <HomeSkeleton />;
  const now = new Date(home.dataUpdatedAt);
  return (
    <>
      <header className="mb-6">
        <h1 className="truncate text-display font-semibold tracking-tight">{identity.displayName || identity.handle}</h1>
        <ViewerDate now={now} />
      </header>
      {home.isError && (
        <p role="status" className="mb-6 rounded-md bg-warning-soft px-3 py-2 text-warning-text">
          This page could not be refreshed. Last refreshed <RelativeTime value={now} />.
        </p>
      )}
      <Overview key={identity.id} identityId={identity.id} home={home.data} firstSteps={firstSteps.data} now={now} />
    </>
  );
}

/** Which day it is where the viewer is; the line is kept free until the browser says so. */
function ViewerDate({ now }: { now: Date }) {
  const isHydrated = useIsHydrated();
  const locale = englishLocale(useViewerLocale());
  const date = new Intl.DateTimeFormat(locale, { weekday: 'long', day: 'numeric', month: 'long' });
  return <p className="min-h-5 text-muted">{isHydrated && date.format(now)}</p>;
}

interface OverviewProps {
  identityId: string;
  home: HomeData;
  firstSteps: FirstSteps | undefined;
  now: Date;
}

function Overview({ identityId, home, firstSteps, now }: OverviewProps) {
  const { isPutAway, putAway, isDecidedHere } = usePutAway(identityId);
  const attention = attentionOf(home);
  const pending = firstSteps?.steps.some(({ isDone }) => !isDone) ? firstSteps : undefined;
  const more = useMoreCards(home);
  const showsSteps = pending !== undefined && isPutAway === false;
  const usage = <UsageCard key="usage" usage={home.usage} projection={home.projection} />;
  // Beside the long list of steps there is room; alone below it would look lost.
  const isUsageBeside = showsSteps || more.length === 0;
  return (
    <>
      {attention.length > 0 && <AttentionStrip attention={attention} />}
      <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_340px]">
        <div className="flex min-w-0 flex-col gap-6">
          {attention.length > 0 && <UrgentConversations urgent={home.conversations.urgent} />}
          {showsSteps && <FirstStepsCard firstSteps={pending} onPutAway={() => putAway(true)} />}
          {attention.length === 0 && <NothingNeeded events={home.events} now={now} isCompact={showsSteps} />}
        </div>
        <div className="flex min-w-0 flex-col gap-6">
          <TodayCard events={home.events} openAnswers={home.openAnswers} now={now} />
          {isUsageBeside && usage}
        </div>
      </div>
      {more.length > 0 && (
        <div className="mt-6 grid grid-cols-[repeat(auto-fit,minmax(min(100%,260px),1fr))] items-start gap-6">
          {!isUsageBeside && usage}
          {more}
        </div>
      )}
      {pending && isPutAway && (
        <p className="mt-6 flex flex-wrap items-center gap-2 text-muted">
          First steps: {pending.steps.filter(({ isDone }) => isDone).length} of {pending.steps.length} done
          {/* Whoever has just put them away was on a button that is gone. */}
          <Button variant="ghost" size="sm" autoFocus={isDecidedHere} onPress={() => putAway(false)}>
            Show first steps
          </Button>
        </p>
      )}
    </>
  );
}

/** What can wait: only what there is. */
function useMoreCards({ agents, drafts }: HomeData): ReactNode[] {
  const trpc = useTRPC();
  const { data: customers } = useQuery(trpc.customers.list.queryOptions({ limit: 5 }));
  return [
    agents.shown.length > 0 && <AgentsCard key="agents" agents={agents} />,
    drafts.count > 0 && <DraftsCard key="drafts" drafts={drafts} />,
    customers && customers.total > 0 && (
      <NewestCustomers key="customers" customers={customers.customers} total={customers.total} />
    ),
  ].filter(Boolean);
}
