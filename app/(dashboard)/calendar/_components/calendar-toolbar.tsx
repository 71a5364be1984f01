import { useQuery } from '@tanstack/react-query';
import { ChevronDown, ChevronLeft, ChevronRight } from 'lucide-react';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { Button } from '@/app/_kit/button';
import { ChoiceFilter } from '@/app/_kit/choice-filter';
import { IconButton } from '@/app/_kit/icon-button';
import { Popover, PopoverContent } from '@/app/_kit/overlay/popover';
import { Segments } from '@/app/_kit/segments';
import { useTRPC } from '@/app/_trpc/client';
import { calendarViews } from '../search-params';
import { calendarKeys } from './calendar-keys';
import type { useCalendar } from './use-calendar';
import { addMonths, shownRange } from './view-range';
import { addDays, viewerZone, wallOfDate } from './zone-clock';

interface CalendarToolbarProps {
  calendar: ReturnType<typeof useCalendar>;
  today: string;
}

/** Navigates through time and switches views. All of it is stored in the address. */
export function CalendarToolbar({ calendar, today }: CalendarToolbarProps) {
  const { view, date, title, firstDay, locale, goTo, step, agent, setAgent } = calendar;
  return (
    <div className="mb-3 flex flex-wrap items-center gap-x-3 gap-y-2">
      <div className="flex min-w-0 items-center gap-1 max-sm:w-full">
        <Button variant="secondary" size="sm" aria-keyshortcuts="t" onPress={() => goTo({ date: null })}>
          Today
        </Button>
        <IconButton label="Previous" aria-keyshortcuts="k" onPress={() => step(-1)}>
          <ChevronLeft aria-hidden />
        </IconButton>
        <IconButton label="Next" aria-keyshortcuts="j" onPress={() => step(1)}>
          <ChevronRight aria-hidden />
        </IconButton>
        <DateJump
          title={title}
          date={date}
          today={today}
          firstDay={firstDay}
          locale={locale}
          onChoose={(chosen) => goTo({ date: chosen })}
        />
        <h2 aria-live="polite" className="sr-only">
          {title}
        </h2>
      </div>
      <div className="flex min-w-0 flex-wrap items-center gap-2 sm:ml-auto">
        <Segments
          label="View"
          size="sm"
          segments={viewSegments}
          value={view}
          onChange={(chosen) => chosen !== null && goTo({ view: chosen })}
        />
        <AgentChoice agent={agent} onChange={setAgent} />
        <ZoneName />
      </div>
    </div>
  );
}

const viewSegments = calendarViews.map((view) => {
  const { meaning, keys } = calendarKeys[view];
  const [key = ''] = keys;
  return { value: view, label: meaning, title: `${meaning} (${key.toUpperCase()})`, keyShortcut: key };
});

/** Chooses whose events are shown; hidden without agents. */
function AgentChoice({ agent, onChange }: { agent: string; onChange: (agent: string) => void }) {
  const trpc = useTRPC();
  const { data } = useQuery(trpc.agents.list.queryOptions({}));
  const choices = data?.agents.map(({ id, name }) => ({ value: id, label: name })) ?? [];
  if (choices.length === 0) return null;
  return <ChoiceFilter label="Agent" anyLabel="All agents" choices={choices} value={agent} onChange={onChange} />;
}

/** The zone of all displayed times. */
function ZoneName() {
  const zone = viewerZone();
  return (
    <span title={`Times are shown in your device’s time zone, ${zone}`} className="truncate text-xs text-muted max-sm:hidden">
      <span className="sr-only">Times are in </span>
      {zone.replaceAll('_', ' ')}
    </span>
  );
}

interface DateJumpProps {
  /** The displayed period. */
  title: string;
  date: string;
  today: string;
  firstDay: number;
  locale: string;
  onChoose: (date: string) => void;
}

/** The displayed period, and a small month to jump from. */
function DateJump({ title, ...days }: DateJumpProps) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <Popover isOpen={isOpen} onOpenChange={setIsOpen}>
      <Button
        variant="ghost"
        className="min-w-0 px-2 text-base font-semibold max-sm:text-sm"
        aria-label={`${title}, go to a date`}
      >
        <span className="truncate">{title}</span>
        <ChevronDown aria-hidden className="text-muted" />
      </Button>
      <PopoverContent label="Go to a date">
        <MiniMonth
          {...days}
          onChoose={(date) => {
            setIsOpen(false);
            days.onChoose(date);
          }}
        />
      </PopoverContent>
    </Popover>
  );
}

/** Days that each key moves. */
const keySteps: Record<string, number> = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7 };

/** A month of dates. Arrow keys move by date, Page Up and Page Down by month. */
function MiniMonth({ date, today, firstDay, locale, onChoose }: Omit<DateJumpProps, 'title'>) {
  const [current, setCurrent] = useState(date);
  const focused = useRef<HTMLButtonElement>(null);
  const byKey = useRef(false);
  const { from } = shownRange('month', current, firstDay);
  const weeks = Array.from({ length: 6 }, (_, week) => Array.from({ length: 7 }, (_, day) => addDays(from, week * 7 + day)));
  const format = (day: string, options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' }).format(wallOfDate(day));

  useEffect(() => {
    if (!byKey.current) return;
    byKey.current = false;
    focused.current?.focus();
  });

  const onKeyDown = (event: KeyboardEvent) => {
    const months = { PageUp: -1, PageDown: 1 }[event.key];
    const days = keySteps[event.key];
    if (months === undefined && days === undefined) return;
    event.preventDefault();
    byKey.current = true;
    setCurrent((before) => (months === undefined ? addDays(before, days ?? 0) : addMonths(before, months)));
  };

  return (
    <div className="w-64">
      <div className="mb-2 flex items-center justify-between">
        <h3 aria-live="polite" className="px-1 text-sm font-semibold">
          {format(current, { month: 'long', year: 'numeric' })}
        </h3>
        <div className="flex">
          <IconButton label="Previous month" onPress={() => setCurrent(addMonths(current, -1))}>
            <ChevronLeft aria-hidden />
          </IconButton>
          <IconButton label="Next month" onPress={() => setCurrent(addMonths(current, 1))}>
            <ChevronRight aria-hidden />
          </IconButton>
        </div>
      </div>
      <table className="w-full table-fixed text-center text-label">
        <thead>
          <tr>
            {weeks[0]?.map((day) => (
              <th key={day} abbr={format(day, { weekday: 'long' })} className="h-7 font-normal text-muted">
                {format(day, { weekday: 'narrow' })}
              </th>
            ))}
          </tr>
        </thead>
        <tbody onKeyDown={onKeyDown}>
          {weeks.map((week) => (
            <tr key={week[0]}>
              {week.map((day) => (
                <td key={day} className="p-0">
                  <button
                    ref={day === current ? focused : null}
                    type="button"
                    tabIndex={day === current ? 0 : -1}
                    aria-label={format(day, { dateStyle: 'full' })}
                    aria-current={day === today ? 'date' : undefined}
                    aria-pressed={day === date}
                    onClick={() => onChoose(day)}
                    className={dayClass({
                      isChosen: day === date,
                      isToday: day === today,
                      isOther: day.slice(0, 7) !== current.slice(0, 7),
                    })}
                  >
                    {Number(day.slice(8))}
                  </button>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function dayClass({ isChosen, isToday, isOther }: { isChosen: boolean; isToday: boolean; isOther: boolean }): string {
  const shape = 'size-8 rounded-md focus-visible:outline-2 focus-visible:outline-focus';
  if (isChosen) return `${shape} bg-accent font-medium text-accent-foreground`;
  if (isToday) return `${shape} font-semibold text-accent-text hover:bg-default`;
  return `${shape} hover:bg-default ${isOther ? 'text-muted' : ''}`;
}
