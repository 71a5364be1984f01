'use client';

import { useQueryClient } from '@tanstack/react-query';
import { Activity, Pause, Play } from 'lucide-react';
import { useQueryStates } from 'nuqs';
import { useEffect, useReducer } from 'react';
import { Button } from '@/app/_kit/button';
import { ButtonLink } from '@/app/_kit/button-link';
import { ChoiceFilter } from '@/app/_kit/choice-filter';
import { CodeLine, useOrigin } from '@/app/_kit/code-line';
import { EmptyState } from '@/app/_kit/empty-state';
import { LoadMoreList } from '@/app/_kit/list-body';
import { SectionCard } from '@/app/_kit/section-card';
import { useTRPC } from '@/app/_trpc/client';
import { useCursorPages } from '@/app/_trpc/use-pages';
import { subscribeToFeed, useIsFeedConnected } from '../../../_components/live/live-feed';
import { GuideLink } from '../../_components/guide-link';
import { useEventTypes } from '../../_components/use-event-types';
import { eventSearchParams, historyInput, patternOf } from '../search-params';
import { followCommand, matchesPattern, typeChoices } from './event-labels';
import { EventRow } from './event-row';
import { atPause, emptyStream, eventStream, mergeEvents } from './event-stream';

/** The log of events and what comes in while the page is open. */
function useEvents(pattern: string) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const input = historyInput({ type: pattern });
  const pages = useCursorPages({
    pageAt: (cursor) => trpc.events.history.queryOptions({ ...input, ...cursor }),
    items: 'events',
    keepsPrevious: true,
    refetchOnMount: 'always',
  });
  const [stream, dispatch] = useReducer(eventStream, emptyStream);
  useEffect(
    () =>
      subscribeToFeed((notice) => {
        if (notice.kind === 'events') dispatch({ kind: 'received', events: notice.events });
        else if (notice.kind === 'start') {
          dispatch({ kind: 'restarted' });
          void queryClient.invalidateQueries(trpc.events.history.queryFilter());
        }
      }),
    [queryClient, trpc],
  );
  const isWanted = ({ type }: { type: string }) => pattern === '' || matchesPattern(type, pattern);
  const { shown, held, pausedAfter } = stream;
  const page = atPause(mergeEvents([...held, ...shown].filter(isWanted), pages.items), pausedAfter);
  return {
    ...pages,
    ...page,
    isPaused: pausedAfter !== null,
    pause: () => dispatch({ kind: 'paused', after: page.items[0]?.createdAt ?? '' }),
    resume: () => dispatch({ kind: 'resumed' }),
  };
}

/** Whether new events appear by themselves, with a button to pause that. */
function Following({ isPaused, held, onPause, onResume }: FollowingProps) {
  const isConnected = useIsFeedConnected();
  const [label, dot] = isPaused ? ['Paused', 'bg-muted'] : isConnected ? ['Live', 'bg-success'] : ['Reconnecting…', 'bg-warning'];
  return (
    <div className="ml-auto flex items-center gap-3">
      <p role="status" className="flex items-center gap-1.5 text-label whitespace-nowrap text-muted">
        <span aria-hidden className={`size-2 rounded-full ${dot}`} />
        {label}
      </p>
      <Button variant="secondary" size="sm" onPress={isPaused ? onResume : onPause}>
        {isPaused ? <Play aria-hidden /> : <Pause aria-hidden />}
        {isPaused ? (held > 0 ? `Resume (${held} new)` : 'Resume') : 'Pause'}
      </Button>
    </div>
  );
}

interface FollowingProps {
  isPaused: boolean;
  held: number;
  onPause: () => void;
  onResume: () => void;
}

/** Every change of the business as it happens, newest first. */
export function EventBrowser() {
  const [search, setSearch] = useQueryStates(eventSearchParams, { history: 'push' });
  const pattern = patternOf(search);
  const types = useEventTypes();
  const events = useEvents(pattern);
  const showAll = () => void setSearch(null);
  return (
    <>
      <header>
        <h2 className="text-base font-semibold">Events</h2>
        <p className="max-w-[68ch] text-muted">
          Every change as programs see it, in order. New events appear here by themselves. Kept for 30 days unless your
          administrator has set another time.
        </p>
      </header>
      <LoadMoreList
        label="Events"
        what="events"
        more="older events"
        loadMoreLabel={events.items.length === 0 ? 'Search older events' : 'Load older'}
        lines={10}
        pages={events}
        header={
          <>
            <ChoiceFilter
              label="Type"
              anyLabel="All types"
              choices={typeChoices(types.data?.types ?? [])}
              value={pattern}
              onChange={(type) => void setSearch({ type })}
            />
            <Following isPaused={events.isPaused} held={events.held} onPause={events.pause} onResume={events.resume} />
          </>
        }
        empty={<NoEvents isFiltered={pattern !== ''} hasMore={events.hasMore} onShowAll={showAll} />}
      >
        <ul>
          {events.items.map((event) => (
            <EventRow key={event.id} event={event} />
          ))}
        </ul>
      </LoadMoreList>
      <FollowElsewhere pattern={pattern} />
    </>
  );
}

/** How a program gets the same events. */
function FollowElsewhere({ pattern }: { pattern: string }) {
  return (
    <SectionCard
      title="Follow from a program"
      description="The request waits until an event happens. Pass nextCursor of each answer as after of the next request."
      actions={
        <ButtonLink href="/settings/webhooks" needs="webhooks:read" size="sm">
          Webhooks
        </ButtonLink>
      }
    >
      <CodeLine label="In a terminal" value={followCommand(useOrigin(), pattern)} copyLabel="Copy command" />
      <GuideLink />
    </SectionCard>
  );
}

interface NoEventsProps {
  isFiltered: boolean;
  hasMore: boolean;
  onShowAll: () => void;
}

function NoEvents({ isFiltered, hasMore, onShowAll }: NoEventsProps) {
  if (isFiltered) {
    return (
      <EmptyState
        icon={Activity}
        title={hasMore ? 'No matches in the latest events' : 'No such events yet'}
        description="Matching events appear here as they happen."
        action={
          <Button variant="secondary" onPress={onShowAll}>
            Show all events
          </Button>
        }
      />
    );
  }
  return (
    <EmptyState
      icon={Activity}
      title="No events yet"
      description="Each change to customers, conversations, posts and more appears here the moment it happens. Add a customer to see one."
      action={
        <ButtonLink href="/customers/new" needs="customers:write" variant="primary">
          New customer
        </ButtonLink>
      }
    />
  );
}
