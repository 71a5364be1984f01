import { clockFields, dateOf, hasTwelveHours } from '@/app/_kit/viewer-format';
import '@fullcalendar/react/skeleton.css';
import '@fullcalendar/react/themes/classic/theme.css';
import './calendar.css';
import FullCalendar, { type CalendarRef, type EventDisplayInfo, type EventInput } from '@fullcalendar/react';
import dayGridPlugin from '@fullcalendar/react/daygrid';
import interactionPlugin from '@fullcalendar/react/interaction';
import listPlugin from '@fullcalendar/react/list';
import themePlugin from '@fullcalendar/react/themes/classic';
import timeGridPlugin from '@fullcalendar/react/timegrid';
import { memo, useEffect, useRef, useState } from 'react';
import type { EventItem } from '@/server/features/calendar/calendar.schema';
import type { CalendarView } from '../search-params';
import { EventContent } from './event-content';
import { type EventSpan, spanOf } from './event-span';
import { type GridEventProps, spanOfDragged } from './grid-events';
import { agendaDays } from './view-range';
import { addDays } from './zone-clock';

const gridViews: Record<CalendarView, string> = {
  month: 'dayGridMonth',
  week: 'timeGridWeek',
  day: 'timeGridDay',
  agenda: 'agenda',
};

const plugins = [themePlugin, dayGridPlugin, timeGridPlugin, listPlugin, interactionPlugin];

const views = {
  timeGridWeek: { titleFormat: { year: 'numeric', month: 'long', day: 'numeric' } },
  agenda: {
    type: 'list',
    duration: { days: agendaDays },
    dateAlignment: 'day',
    listDayFormat: { weekday: 'long' },
    listDayAltFormat: { day: 'numeric', month: 'long' },
  },
} as const;

/** Length in milliseconds of an event created by a click. */
const clickedMilliseconds = 60 * 60_000;

interface CalendarGridProps {
  view: CalendarView;
  /** A date within the view. */
  date: string;
  /** 0 for Sunday. */
  firstDay: number;
  /** An English locale, which formats dates and times. */
  locale: string;
  isPhone: boolean;
  /** Minutes after midnight to which the hours are scrolled. */
  firstMinute: number;
  /** False if events can only be viewed. */
  isEditable: boolean;
  events: EventInput[];
  onOpen(item: EventItem): void;
  /** Empty time was clicked or selected. */
  onNew(span: EventSpan): void;
  onMove(item: EventItem, from: EventSpan, to: EventSpan): void;
  onDay(date: string): void;
}

const itemOf = (event: { extendedProps: object }) => (event.extendedProps as GridEventProps).item;

/** The calendar grid in any view. It is independent of the server: it shows its props and reports what the user does. */
export function CalendarGrid(props: CalendarGridProps) {
  const [isHeld, setIsHeld] = useState(false);
  const hold = () => setIsHeld(true);
  // Once the drop that follows has been reported.
  const release = () => setTimeout(() => setIsHeld(false));
  return <Grid {...props} isHeld={isHeld} onDragStart={hold} onDragStop={release} />;
}

interface GridProps extends CalendarGridProps {
  /** True while an event is dragged: rendering the grid, also with nothing new, would end the drag half-way. */
  isHeld: boolean;
  onDragStart(): void;
  onDragStop(): void;
}

const Grid = memo(RenderedGrid, (_before, { isHeld }) => isHeld);

function RenderedGrid(props: GridProps) {
  const { view, date, firstDay, locale, isPhone, isEditable, events, firstMinute } = props;
  const { onOpen, onNew, onMove, onDay, onDragStart, onDragStop } = props;
  const calendar = useRef<CalendarRef>(null);
  useEffect(() => {
    // Deferred, because the grid renders synchronously, which React refuses during its own rendering.
    queueMicrotask(() => calendar.current?.getApi().changeView(gridViews[view], date));
  }, [view, date]);
  useEffect(() => {
    // Once the grid has measured its rows, after its first frame: their height decides where a time is.
    let frame = requestAnimationFrame(() => {
      frame = requestAnimationFrame(() => calendar.current?.getApi().scrollToTime({ minutes: firstMinute }));
    });
    return () => cancelAnimationFrame(frame);
  }, [firstMinute]);

  const moved = ({ event }: { event: Parameters<typeof spanOfDragged>[0] & { extendedProps: object } }) => {
    const item = itemOf(event);
    if (item) onMove(item, spanOf(item), spanOfDragged(event));
  };

  const clock = clockFields(locale);
  return (
    <FullCalendar
      ref={calendar}
      plugins={plugins}
      views={views}
      initialView={gridViews[view]}
      initialDate={date}
      headerToolbar={false}
      height={view === 'agenda' ? 'auto' : '100%'}
      locale={locale}
      firstDay={firstDay}
      nowIndicator
      navLinks
      navLinkDayClick={(day) => onDay(dateOf(day))}
      scrollTime={{ minutes: firstMinute }}
      scrollTimeReset={false}
      slotDuration="00:30:00"
      snapDuration="00:15:00"
      eventMinHeight={20}
      eventShortHeight={40}
      dayMaxEvents
      allDayText="All day"
      noEventsText="No events in the next 4 weeks."
      eventTimeFormat={clock}
      slotHeaderFormat={hasTwelveHours(locale) ? { hour: 'numeric' } : clock}
      viewDidMount={({ el }) => requestAnimationFrame(() => makeScrollable(el))}
      eventColor="var(--cal-edge)"
      eventContrastColor="var(--cal-text)"
      slotEventOverlap={false}
      viewClass="cal-view"
      dayHeaderInnerClass={({ isToday }) => `cal-day-name ${isToday ? 'cal-today' : ''}`}
      dayHeaderContent={({ text, weekdayText, dayNumberText, isNarrow }) =>
        isNarrow && dayNumberText ? (
          <span className="flex flex-col items-center">
            <span>{weekdayText}</span>
            <span>{dayNumberText}</span>
          </span>
        ) : (
          text
        )
      }
      dayCellTopInnerClass={({ isToday }) => `cal-date ${isToday ? 'cal-today' : ''}`}
      listDayHeaderInnerClass={({ isToday }) => `cal-day-name ${isToday ? 'cal-today' : ''}`}
      slotHeaderInnerClass="cal-hour"
      allDayHeaderInnerClass="cal-hour"
      blockEventClass="cal-block"
      listItemEventClass="cal-line"
      listItemEventBeforeClass="cal-dot"
      eventInnerClass="cal-inner"
      rowMoreLinkClass="cal-more"
      // The grid's own popover is not used: it throws, with the whole grid, when its link disappears along with events.
      moreLinkClick={({ date: day }) => onDay(dateOf(day))}
      moreLinkHint={(count) => `Show this day (${count} more)`}
      moreLinkDidMount={({ el }) => {
        el.removeAttribute('aria-haspopup');
        el.removeAttribute('aria-expanded');
      }}
      events={events}
      eventContent={(info) => <GridEvent info={info} locale={locale} />}
      eventClick={({ event, jsEvent }) => {
        jsEvent.preventDefault();
        const item = itemOf(event);
        if (item) onOpen(item);
      }}
      eventInteractive
      editable={isEditable}
      eventResizableFromStart
      allDayMaintainDuration={false}
      forceEventDuration={false}
      eventDragStart={onDragStart}
      eventDragStop={onDragStop}
      eventResizeStart={onDragStart}
      eventResizeStop={onDragStop}
      eventDrop={moved}
      eventResize={moved}
      // A click or tap makes a whole hour; only a longer drag is a selection.
      dateClick={({ date: at, dateStr, allDay }) =>
        onNew(allDay ? { allDay, start: dateStr.slice(0, 10), end: addDays(dateStr.slice(0, 10), 1) } : clickedSpan(at))
      }
      selectable={isEditable}
      selectMirror
      selectMinDistance={8}
      longPressDelay={isPhone ? 500 : 350}
      select={({ start, end, startStr, endStr, allDay, view: { calendar: api } }) => {
        api.unselect();
        onNew(
          allDay
            ? { allDay, start: startStr.slice(0, 10), end: endStr.slice(0, 10) }
            : { allDay, start: start.toISOString(), end: end.toISOString() },
        );
      }}
    />
  );
}

/**
 * Makes the hours scrollable by keyboard even if no event among them can have the focus. The row in the scrolling part gets the
 * focus, since nothing else is allowed between rows and their table.
 */
function makeScrollable(view: HTMLElement): void {
  for (const row of view.querySelectorAll<HTMLElement>('[role="row"]')) {
    const scroller = row.parentElement?.parentElement;
    if (scroller && /auto|scroll/.test(getComputedStyle(scroller).overflowY) && !row.querySelector('[role="link"]'))
      row.tabIndex = 0;
  }
}

/** Starts at the clicked half hour. Dragging is exact to a quarter. */
function clickedSpan(at: Date): EventSpan {
  const start = new Date(at);
  start.setMinutes(at.getMinutes() < 30 ? 0 : 30, 0, 0);
  return { allDay: false, start: start.toISOString(), end: new Date(start.getTime() + clickedMilliseconds).toISOString() };
}

function GridEvent({ info: { event, timeText, view, isShort }, locale }: { info: EventDisplayInfo; locale: string }) {
  const item = itemOf(event);
  if (!item) return <span className="truncate text-xs font-medium">{event.title}</span>;
  const isList = view.type === 'agenda';
  const isBlock = view.type.startsWith('timeGrid') && !event.allDay;
  return (
    <EventContent
      item={item}
      timeText={event.allDay ? (isList ? 'All day' : '') : timeText}
      {...(isShort && event.start
        ? { startText: new Intl.DateTimeFormat(locale, { timeStyle: 'short' }).format(event.start) }
        : {})}
      shape={isList ? 'row' : isBlock ? (isShort ? 'short' : 'block') : 'line'}
    />
  );
}
