'use client';

import { useQuery, useQueryClient } from '@tanstack/react-query';
import { CircleCheck } from 'lucide-react';
import Link from 'next/link';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Button } from '@/app/_kit/button';
import { readSetting, writeSetting } from '@/app/_kit/device-setting';
import { ErrorState } from '@/app/_kit/error-state';
import { RelativeTime } from '@/app/_kit/relative-time';
import { useBrowserValue } from '@/app/_kit/use-browser-value';
import { useIsHydrated } from '@/app/_kit/use-is-hydrated';
import { useDateLocale } from '@/app/_kit/viewer-format';
import { useTRPC } from '@/app/_trpc/client';
import type { FirstSteps, Home as HomeData } from '@/server/features/home/home.schema';
import { useLiveCounts } from '../use-live-counts';
import { attentionOf } from './attention';
import { AttentionStrip, UrgentConversations } from './attention-cards';
import { FirstStepsCard } from './first-steps-card';
import { AgentsCard, DraftsCard, NewestCustomers, UsageCard } from './home-cards';
import { HomeSkeleton } from './home-skeleton';
import { eventHref, laterLabel, todayLabel, todayOf } from './today';
import { TodayCard } from './today-card';

/**
 * Refresh interval for what the live counts do not include, in milliseconds: usage, agents, drafts, and events that have ended.
 */
const refreshMilliseconds = 60_000;

const stampOf = ({ version, calendarVersion, failedMails, quarantined }: HomeData['pulse']) =>
  [version, calendarVersion, failedMails, quarantined].join(' ');

/** Loads what needs attention, again whenever the live counts change, and the progress of the first steps. */
function useHome() {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const liveCounts = useLiveCounts();
  const home = useQuery(trpc.home.get.queryOptions({}, { refetchInterval: refreshMilliseconds }));
  const firstSteps = useQuery(trpc.home.firstSteps.queryOptions({}));
  const shown = home.data && stampOf(home.data.pulse);
  const current = liveCounts && stampOf(liveCounts);
  // Refetched once per state: if Home is ahead of the live counts, another request would not make them agree.
  const followed = useRef<string>(undefined);

  useEffect(() => {
    if (!shown || !current || shown === current || followed.current === current) return;
    followed.current = current;
    void queryClient.invalidateQueries(trpc.home.pathFilter());
  }, [shown, current, queryClient, trpc]);

  return { home, firstSteps };
}

const storageKey = (identityId: string) => `frontdesk.first-steps.${identityId}`;

interface Dismissed {
  /** Undefined until hydration, since only the browser stores it. */
  isDismissed: boolean | undefined;
  setDismissed: (isDismissed: boolean) => void;
  /** True if it was decided since the page was opened. */
  isDecidedHere: boolean;
}

/** Whether the first steps of a business were dismissed on this device. */
function useDismissed(identityId: string): Dismissed {
  const kept = useBrowserValue(() => readSetting(storageKey(identityId)) === 'away', undefined);
  const [decided, setDecided] = useState<boolean>();
  const setDismissed = (isDismissed: boolean) => {
    setDecided(isDismissed);
    writeSetting(storageKey(identityId), isDismissed ? 'away' : null);
  };
  return { isDismissed: decided ?? kept, setDismissed, isDecidedHere: decided !== undefined };
}

/** What needs the owner's attention now, and the next steps. */
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
          <ErrorState error={failed.error} onRetry={retry} title="Couldn’t load Home" />
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
          Couldn’t refresh this page. Last updated <RelativeTime value={now} />.
        </p>
      )}
      <Overview key={identity.id} identityId={identity.id} home={home.data} firstSteps={firstSteps.data} now={now} />
    </>
  );
}

/** The viewer's date. The line stays empty until hydration, since the server does not know the viewer's zone. */
function ViewerDate({ now }: { now: Date }) {
  const isHydrated = useIsHydrated();
  const locale = useDateLocale();
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
  const { isDismissed, setDismissed, isDecidedHere } = useDismissed(identityId);
  const attention = attentionOf(home);
  const { urgent } = home.conversations;
  const isCaughtUp = attention.length === 0 && urgent.length === 0;
  const pending = firstSteps?.steps.some(({ isDone }) => !isDone) ? firstSteps : undefined;
  const more = useMoreCards(home);
  const showsSteps = pending !== undefined && isDismissed === false;
  const usage = <UsageCard key="usage" usage={home.usage} projection={home.projection} />;
  // Beside the long list of steps there is room for it; alone below it would look lost.
  const isUsageBeside = showsSteps || more.length === 0;
  return (
    <>
      {attention.length > 0 && <AttentionStrip attention={attention} />}
      <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_340px]">
        <div className="flex min-w-0 flex-col gap-6">
          {!isCaughtUp && <UrgentConversations urgent={urgent} />}
          {showsSteps && <FirstStepsCard firstSteps={pending} onDismiss={() => setDismissed(true)} />}
          {isCaughtUp && <NothingNeeded events={home.events} now={now} isCompact={showsSteps} />}
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
      {pending && isDismissed && (
        <p className="mt-6 flex flex-wrap items-center gap-2 text-muted">
          Getting started: {pending.steps.filter(({ isDone }) => isDone).length} of {pending.steps.length} done
          {/* Takes over the focus of the removed dismiss button. */}
          <Button variant="ghost" size="sm" autoFocus={isDecidedHere} onPress={() => setDismissed(false)}>
            Show getting-started guide
          </Button>
        </p>
      )}
    </>
  );
}

/** The less urgent cards, without empty ones. */
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

interface NextEventProps extends Pick<HomeData, 'events'> {
  now: Date;
}

interface NothingNeededProps extends NextEventProps {
  /** Shown as one line, for use next to more important content. */
  isCompact: boolean;
}

/** Replaces the urgent conversations if there are none: says so, and shows what comes next. */
function NothingNeeded({ events, now, isCompact }: NothingNeededProps) {
  const layout = isCompact ? 'gap-3 px-5 py-4' : 'flex-col items-center gap-3 px-6 py-12 text-center';
  return (
    <section aria-labelledby="nothing-needed" className={`flex rounded-lg border border-border bg-surface ${layout}`}>
      <CircleCheck
        aria-hidden
        className={`shrink-0 text-success-text ${isCompact ? 'mt-0.5 size-4' : 'size-6'}`}
        strokeWidth={isCompact ? 2 : 1.75}
      />
      <div className="min-w-0">
        <h2 id="nothing-needed" className={`font-semibold ${isCompact ? 'text-sm' : 'text-base'}`}>
          You’re all caught up
        </h2>
        <p className={`max-w-[52ch] text-muted ${isCompact ? 'text-label' : 'mt-1'}`}>
          New email and anything that needs you appears here. <NextEvent events={events} now={now} />
        </p>
      </div>
    </section>
  );
}

function NextEvent({ events, now }: NextEventProps) {
  const isHydrated = useIsHydrated();
  const viewer = { locale: useDateLocale() };
  const { today, next } = todayOf(events, now);
  const [event] = today;
  const first = event ?? next;
  if (!isHydrated || !first) return null;
  const when = event ? `today ${todayLabel(event, now, viewer).toLowerCase()}` : laterLabel(first, now, viewer);
  return (
    <>
      Next on the calendar:{' '}
      <Link href={eventHref(first)} prefetch={false} className="wrap-anywhere text-accent-text underline underline-offset-2">
        {first.title}
      </Link>
      , {when}.
    </>
  );
}
