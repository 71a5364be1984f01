'use client';

import { onDemandComponent } from '@/app/_kit/overlay/load-on-demand';
import './event-colors.css';
import { CalendarDays, CalendarSync, Ellipsis, Keyboard, Plus } from 'lucide-react';
import dynamic from 'next/dynamic';
import { useMemo, useState } from 'react';
import { Button } from '@/app/_kit/button';
import { DraftNotice } from '@/app/_kit/draft-notice';
import { EmptyState } from '@/app/_kit/empty-state';
import { ErrorState } from '@/app/_kit/error-state';
import { IconButton } from '@/app/_kit/icon-button';
import { Dropdown } from '@/app/_kit/overlay/dropdown';
import { PageHeader } from '@/app/_kit/page-header';
import { Surface } from '@/app/_kit/surface';
import { useIsHydrated } from '@/app/_kit/use-is-hydrated';
import { useNewRequest } from '@/app/_kit/use-new-request';
import { usePageKeys } from '@/app/_kit/use-page-keys';
import { useGuard, usePermission } from '@/app/_kit/use-permission';
import { useStoredDraft } from '@/app/_kit/use-stored-drafts';
import { openFrameOverlay } from '../../_components/frame-overlay';
import { calendarKeys } from './calendar-keys';
import { CalendarSkeleton, GridSkeleton } from './calendar-skeleton';
import { CalendarToolbar } from './calendar-toolbar';
import { itemsAfterMoves } from './event-moves';
import { spanOf } from './event-span';
import { draftEvent, gridEvent } from './grid-events';
import { draftAt, nextFullHour } from './new-event';
import { useCalendar, useCalendarEvents, useToday } from './use-calendar';
import { useEventMoves } from './use-event-moves';
import { eventsMaximum, firstShownMinute, shownRange } from './view-range';
import { viewerZone } from './zone-clock';

/** The largest part of the page's script, and useless before events have loaded. */
const CalendarGrid = dynamic(() => import('./calendar-grid').then((module) => module.CalendarGrid), {
  ssr: false,
  loading: GridSkeleton,
});

/** Preloaded after the page, before anything can be clicked. */
const EventPanel = onDemandComponent(() => import('./editor/event-panel').then((module) => module.EventPanel));

/** The calendar. Waits until the viewer's zone is known. */
export function Calendar() {
  return useIsHydrated() ? <ViewersCalendar /> : <CalendarSkeleton />;
}

function ViewersCalendar() {
  const calendar = useCalendar();
  const { open, goTo, step, openDraft } = calendar;
  const today = useToday();
  const guard = useGuard('calendar:write');
  const openNew = guard(() => openDraft(nextFullHour(Date.now(), viewerZone())));
  useNewRequest(openNew);
  const draft = useStoredDraft('event.new', () => openDraft({ ...nextFullHour(Date.now(), viewerZone()), restoresDraft: true }));
  const { moves, move, dialog } = useEventMoves();
  usePageKeys('Calendar', calendarKeys, {
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
            <Button variant="primary" needs="calendar:write" aria-keyshortcuts="n" onPress={openNew}>
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
      <EventPanel open={open} onClose={calendar.close} onCreated={calendar.created} onChanged={calendar.changed} />
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
  const { isAllowed } = usePermission('calendar:write');
  const guard = useGuard('calendar:write');
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
  const range = shownRange(view, date, firstDay);
  if (list.isError && !list.data) {
    return <ErrorState error={list.error} title="Couldn’t load events" onRetry={() => void list.refetch()} />;
  }
  if (hasNoneAtAll && view === 'agenda' && !draft) return <NoEventsYet isCompact={false} onNew={onNew} />;
  return (
    <>
      {hasNoneAtAll && !draft && view !== 'agenda' && <NoEventsYet isCompact onNew={onNew} />}
      {list.data?.hasMore && (
        <p role="status" className="mb-3 rounded-md bg-warning-soft px-3 py-2 text-label text-warning-text">
          Only the first {eventsMaximum.toLocaleString(locale)} events are shown. Choose a shorter range to see all of them.
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
            firstMinute={firstShownMinute(list.data.events.map(spanOf), range)}
            events={events}
            onOpen={openEvent}
            isEditable={isAllowed}
            onNew={guard((span) => openDraft(draftAt(span, viewerZone())))}
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

const SubscribeDialog = onDemandComponent(() => import('./subscribe/subscribe-dialog').then((module) => module.SubscribeDialog));

/** Occasional actions: subscribing to the calendar and listing its shortcuts. */
function CalendarMenu() {
  const [isSubscribeOpen, setIsSubscribeOpen] = useState(false);
  const [isSubscribeWanted, setIsSubscribeWanted] = useState(false);
  const choose = (key: unknown) => {
    if (key === 'keyboard') return openFrameOverlay('shortcuts');
    setIsSubscribeOpen(true);
    setIsSubscribeWanted(true);
  };
  return (
    <>
      <Dropdown>
        <IconButton size="md" variant="secondary" label="Calendar options">
          <Ellipsis aria-hidden />
        </IconButton>
        <Dropdown.Popover placement="bottom end" className="w-56">
          <Dropdown.Menu aria-label="Calendar options" onAction={choose}>
            <Dropdown.Item id="subscribe" textValue="Subscribe…">
              <CalendarSync aria-hidden className="size-4 text-muted" strokeWidth={1.75} />
              Subscribe…
            </Dropdown.Item>
            <Dropdown.Item id="keyboard" textValue="Keyboard shortcuts" className="max-lg:hidden">
              <Keyboard aria-hidden className="size-4 text-muted" strokeWidth={1.75} />
              Keyboard
            </Dropdown.Item>
          </Dropdown.Menu>
        </Dropdown.Popover>
      </Dropdown>
      {isSubscribeWanted && <SubscribeDialog isOpen={isSubscribeOpen} onOpenChange={setIsSubscribeOpen} />}
    </>
  );
}

interface NoEventsYetProps {
  /** True above a grid, which can be clicked as well. */
  isCompact: boolean;
  onNew: () => void;
}

const purpose = 'Invite customers, track responses and send reminders automatically.';

/** Shown if there never was an event; explains what the calendar is for. */
function NoEventsYet({ isCompact, onNew }: NoEventsYetProps) {
  const action = (
    <Button variant="secondary" size="sm" needs="calendar:write" onPress={onNew}>
      <Plus aria-hidden />
      Create your first event
    </Button>
  );
  if (!isCompact) {
    return (
      <Surface>
        <EmptyState icon={CalendarDays} title="No events yet" description={purpose} action={action} />
      </Surface>
    );
  }
  return (
    <section
      aria-label="No events yet"
      className="mb-3 flex flex-wrap items-center gap-x-4 gap-y-2 rounded-lg border border-border bg-surface px-4 py-3"
    >
      <CalendarDays aria-hidden className="size-5 shrink-0 text-muted" strokeWidth={1.75} />
      <div className="min-w-0 flex-1 basis-64">
        <h2 className="text-sm font-semibold">No events yet</h2>
        <p className="text-label text-muted">
          {purpose} Click a time below, or use the API:{' '}
          <a href="/docs#tag/calendar" className="font-mono text-xs text-accent-text underline-offset-2 hover:underline">
            POST /calendar/events
          </a>
        </p>
      </div>
      {action}
    </section>
  );
}
