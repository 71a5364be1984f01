import { keepPreviousData, skipToken, useQuery } from '@tanstack/react-query';
import { useQueryStates } from 'nuqs';
import { useEffect, useMemo, useState } from 'react';
import { useMedia } from '@/app/_kit/use-media';
import { isUuid } from '@/app/_kit/uuid';
import { englishLocale, useViewerLocale } from '@/app/_kit/viewer-format';
import { useTRPC } from '@/app/_trpc/client';
import type { EventItem, EventRecord } from '@/server/features/calendar/calendar.schema';
import { localTime } from '@/server/platform/ical/zones';
import { type CalendarView, calendarSearchParams } from '../search-params';
import type { NewEvent, OpenEvent } from './editor/event-panel';
import { spanOf } from './event-span';
import { dateShowing, listInput, nextDate, rangeLabel, shownRange } from './view-range';
import { firstDayOf } from './viewer-week';
import { dateOfWall, viewerToday, viewerZone } from './zone-clock';

/** The calendar's state: view and date from the address, and the open panel. */
export function useCalendar() {
  const [search, setSearch] = useQueryStates(calendarSearchParams);
  const [draft, setDraft] = useState<NewEvent | null>(null);
  const viewerLocale = useViewerLocale();
  // Tailwind's `md`, below which seven days side by side are too narrow to read.
  const isPhone = useMedia('(width < 48rem)');
  const locale = englishLocale(viewerLocale);
  const firstDay = firstDayOf(viewerLocale);
  const view = search.view ?? (isPhone ? 'agenda' : 'week');
  const eventDate = useDateOfOpenedEvent(search);
  const date = search.date ?? eventDate ?? viewerToday();

  // Both, since the address may still be that of the step before when keys follow each other quickly.
  const goTo = (next: { view?: CalendarView; date?: string | null }) =>
    void setSearch({ view: search.view, date: search.date, ...next }, { history: 'push' });

  const { event, at } = search;
  const open = useMemo((): OpenEvent | null => {
    if (event !== null) return { kind: 'event', eventId: event, occurrenceStart: at };
    return draft && { kind: 'new', draft };
  }, [event, at, draft]);

  return {
    view,
    date,
    isPhone,
    locale,
    firstDay,
    agent: search.agent,
    title: rangeLabel(view, date, firstDay, locale),
    goTo,
    step: (direction: 1 | -1) => goTo({ date: nextDate(view, date, direction) }),
    setAgent: (agent: string) => void setSearch({ agent: agent || null }, { history: 'push' }),
    open,
    openEvent: ({ id, recurrence, occurrenceStart }: EventItem) => {
      setDraft(null);
      // Keeps the date, even if it came from the event that was open before.
      void setSearch({ date, event: id, at: recurrence === 'none' ? null : (occurrenceStart ?? null) }, { history: 'push' });
    },
    openDraft: (next: NewEvent) => {
      setDraft(next);
      if (search.event !== null) void setSearch({ date, event: null, at: null }, { history: 'push' });
    },
    /** The panel created the event it was open for. */
    created: (created: EventRecord) => {
      setDraft(null);
      void setSearch({ date: dateShowing(created, view, date, firstDay), event: created.id, at: null });
    },
    /** The panel changed the event it is open for. */
    changed: (changed: EventRecord) => void setSearch({ date: dateShowing(changed, view, date, firstDay) }),
    close: () => {
      setDraft(null);
      if (search.event !== null) void setSearch({ date: search.date ?? eventDate, event: null, at: null });
    },
  };
}

/** A link to an event has no date, so the calendar behind it goes to the event's. A series has no single date. */
function useDateOfOpenedEvent({
  event,
  at,
  date,
}: {
  event: string | null;
  at: string | null;
  date: string | null;
}): string | null {
  const trpc = useTRPC();
  const isNeeded = event !== null && isUuid(event) && at === null && date === null;
  const { data } = useQuery(trpc.calendar.get.queryOptions(isNeeded ? { eventId: event } : skipToken));
  if (!isNeeded || !data || data.event.recurrence !== 'none') return null;
  const { allDay, start } = spanOf(data.event);
  return allDay ? start : dateOfWall(localTime(Date.parse(start), viewerZone()));
}

/** The events of a view (those of the previous view until they are loaded), and whether there has never been any. */
export function useCalendarEvents({
  view,
  date,
  firstDay,
  agent,
}: {
  view: CalendarView;
  date: string;
  firstDay: number;
  agent: string;
}) {
  const trpc = useTRPC();
  const list = useQuery(
    trpc.calendar.list.queryOptions(listInput(shownRange(view, date, firstDay), agent), { placeholderData: keepPreviousData }),
  );
  const isEmpty = list.data?.count === 0 && !list.isPlaceholderData;
  const any = useQuery(trpc.calendar.list.queryOptions(isEmpty ? { limit: 1 } : skipToken));
  return { list, hasNoneAtAll: isEmpty && any.data?.count === 0 };
}

/** Today's date; updates at midnight. */
export function useToday(): string {
  const [today, setToday] = useState(viewerToday);
  useEffect(() => {
    const timer = setInterval(() => setToday(viewerToday()), 60_000);
    return () => clearInterval(timer);
  }, []);
  return today;
}
