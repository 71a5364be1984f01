'use client';

import { onDemandComponent } from '@/app/_kit/overlay/load-on-demand';
import './event-colors.css';
import { Plus } from 'lucide-react';
import dynamic from 'next/dynamic';
import { useMemo } from 'react';
import { Button } from '@/app/_kit/button';
import { DraftNotice } from '@/app/_kit/draft-notice';
import { useStoredDraft } from '@/app/_kit/draft-scope';
import { ErrorState } from '@/app/_kit/error-state';
import { PageHeader } from '@/app/_kit/page-header';
import { useIsHydrated } from '@/app/_kit/use-is-hydrated';
import { useNewRequest } from '@/app/_kit/use-new-request';
import { CalendarMenu } from './calendar-menu';
import { CalendarSkeleton, GridSkeleton } from './calendar-skeleton';
import { CalendarToolbar } from './calendar-toolbar';
import { itemsAfterMoves } from './event-moves';
import { draftEvent, gridEvent } from './grid-events';
import { draftAt, nextFullHour } from './new-event';
import { NoEventsYet } from './no-events-yet';
import { useCalendar, useCalendarEvents, useToday } from './use-calendar';
import { useCalendarKeys } from './use-calendar-keys';
import { useEventMoves } from './use-event-moves';
import { eventsMaximum } from './view-range';
import { viewerZone } from './zone-clock';

/** The largest part of the page's script, and of no use before there are events to show. */
const CalendarGrid = dynamic(() => import('./calendar-grid').then((module) => module.CalendarGrid), {
  ssr: false,
  loading: GridSkeleton,
});

/** Comes after the page, and before anybody has clicked anything. */
const EventPanel = onDemandComponent(() => import('./editor/event-panel').then((module) => module.EventPanel));

/** The calendar, once it is known where its viewer is. */
export function Calendar() {
  return useIsHydrated() ? <ViewersCalendar /> : <CalendarSkeleton />;
}

function ViewersCalendar() {
  const calendar = useCalendar();
  const { open, goTo, step, openDraft } = calendar;
  const today = useToday();
  const openNew = () => openDraft(nextFullHour(Date.now(), viewerZone()));
  useNewRequest(openNew);
  const draft = useStoredDraft('event.new', () => openDraft({ ...nextFullHour(Date.now(), viewerZone()), restoresDraft: true }));
  const { moves, move, dialog } = useEventMoves();
  useCalendarKeys({
    new: openNew,
    today: () => goTo({ date: null }),
    next: () => step(1),
    previous: () => step(-1),
    month: () => goTo({ view: 'month' }),
    week: () => goTo({ view: 'week' }),
    day: () => goTo({ view: 'day' }),
    agenda: () => goTo({ view: 'agenda' }),
  });
  return (
    <div data-panes className="lg:flex lg:h-full lg:min-h-0">
      <section aria-label="Calendar" className="min-w-0 lg:flex lg:flex-1 lg:flex-col lg:px-6 lg:pt-8">
        <PageHeader
          title="Calendar"
          actions={<CalendarMenu />}
          primaryAction={
            <Button variant="primary" aria-keyshortcuts="n" onPress={openNew}>
              <Plus aria-hidden />
              New event
            </Button>
          }
        />
        {draft && open === null && (
          <div className="mb-3">
            <DraftNotice draft={draft} />
          </div>
        )}
        <CalendarToolbar calendar={calendar} today={today} />
        <CalendarBody calendar={calendar} moves={moves} onMove={move} onNew={openNew} />
      </section>
      <EventPanel open={open} onClose={calendar.close} onCreated={calendar.created} />
      {dialog}
    </div>
  );
}

interface CalendarBodyProps extends Pick<ReturnType<typeof useEventMoves>, 'moves'> {
  calendar: ReturnType<typeof useCalendar>;
  onMove: ReturnType<typeof useEventMoves>['move'];
  onNew: () => void;
}

function CalendarBody({ calendar, moves, onMove, onNew }: CalendarBodyProps) {
  const { view, date, firstDay, locale, isPhone, open, openEvent, openDraft, goTo } = calendar;
  const { list, hasNoneAtAll } = useCalendarEvents(calendar);
  const openId = open?.kind === 'event' ? open.eventId : null;
  const draft = open?.kind === 'new' ? open.draft : null;
  const items = list.data?.events;
  const events = useMemo(
    () => [
      ...itemsAfterMoves(items ?? [], moves).map((item) => gridEvent(item, item.id === openId)),
      ...(draft ? [draftEvent(draft)] : []),
    ],
    [items, moves, openId, draft],
  );
  if (list.isError && !list.data) {
    return <ErrorState error={list.error} title="The events could not be loaded" onRetry={() => void list.refetch()} />;
  }
  if (hasNoneAtAll && view === 'agenda' && !draft) return <NoEventsYet isCompact={false} onNew={onNew} />;
  return (
    <>
      {hasNoneAtAll && !draft && view !== 'agenda' && <NoEventsYet isCompact onNew={onNew} />}
      {list.data?.hasMore && (
        <p role="status" className="mb-3 rounded-md bg-warning-soft px-3 py-2 text-label text-warning-text">
          Only the first {eventsMaximum.toLocaleString(locale)} events of these dates are shown. A view of fewer days shows all of
          them.
        </p>
      )}
      <div
        aria-busy={list.isFetching}
        className={`cal ${view === 'agenda' ? 'lg:min-h-0 lg:flex-1 lg:overflow-y-auto lg:pb-4' : 'h-[calc(100dvh-16rem)] min-h-96 lg:h-auto lg:min-h-0 lg:flex-1 lg:pb-4'}`}
      >
        {list.data ? (
          <CalendarGrid
            view={view}
            date={date}
            firstDay={firstDay}
            locale={locale}
            isPhone={isPhone}
            events={events}
            onOpen={openEvent}
            onNew={(span) => openDraft(draftAt(span, viewerZone()))}
            onMove={onMove}
            onDay={(day) => goTo({ view: 'day', date: day })}
          />
        ) : (
          <GridSkeleton />
        )}
      </div>
    </>
  );
}
