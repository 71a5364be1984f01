'use client';

import { Button } from '@heroui/react/button';
import { useQuery } from '@tanstack/react-query';
import { ChevronLeft, ChevronRight } from 'lucide-react';
import { ChoiceFilter } from '@/app/_components/choice-filter';
import { useTRPC } from '@/app/_trpc/client';
import { type CalendarView, calendarViews } from '../search-params';
import { calendarKeys } from './calendar-keys';
import { DateJump } from './date-jump';
import type { useCalendar } from './use-calendar';
import { viewerZone } from './zone-clock';

interface CalendarToolbarProps {
  calendar: ReturnType<typeof useCalendar>;
  today: string;
}

/** Through time, and how it is looked at. All of it lives in the address. */
export function CalendarToolbar({ calendar, today }: CalendarToolbarProps) {
  const { view, date, title, firstDay, locale, goTo, step, agent, setAgent } = calendar;
  return (
    <div className="mb-3 flex flex-wrap items-center gap-x-3 gap-y-2">
      <div className="flex min-w-0 items-center gap-1 max-sm:w-full">
        <Button variant="secondary" size="sm" aria-keyshortcuts="t" onPress={() => goTo({ date: null })}>
          Today
        </Button>
        <Button variant="ghost" size="sm" isIconOnly aria-label="Earlier" aria-keyshortcuts="k" onPress={() => step(-1)}>
          <ChevronLeft aria-hidden />
        </Button>
        <Button variant="ghost" size="sm" isIconOnly aria-label="Later" aria-keyshortcuts="j" onPress={() => step(1)}>
          <ChevronRight aria-hidden />
        </Button>
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
        <ViewChoice view={view} onChange={(chosen) => goTo({ view: chosen })} />
        <AgentChoice agent={agent} onChange={setAgent} />
        <ZoneName />
      </div>
    </div>
  );
}

function ViewChoice({ view, onChange }: { view: CalendarView; onChange: (view: CalendarView) => void }) {
  return (
    <fieldset className="flex rounded-md bg-default p-0.5">
      <legend className="sr-only">View</legend>
      {calendarViews.map((choice) => (
        <label
          key={choice}
          title={`${calendarKeys[choice].meaning} (${calendarKeys[choice].name})`}
          className="relative flex h-7 cursor-pointer items-center rounded-sm px-2.5 text-label text-muted has-checked:bg-segment has-checked:font-medium has-checked:text-foreground has-focus-visible:outline-2 has-focus-visible:-outline-offset-1 has-focus-visible:outline-focus max-sm:h-9"
        >
          <input
            type="radio"
            name="view"
            value={choice}
            checked={view === choice}
            onChange={() => onChange(choice)}
            aria-keyshortcuts={calendarKeys[choice].keys[0]}
            className="sr-only"
          />
          {calendarKeys[choice].meaning}
        </label>
      ))}
    </fieldset>
  );
}

/** Whose events are shown; of no use without agents. */
function AgentChoice({ agent, onChange }: { agent: string; onChange: (agent: string) => void }) {
  const trpc = useTRPC();
  const { data } = useQuery(trpc.agents.list.queryOptions({}));
  const choices = data?.agents.map(({ id, name }) => ({ value: id, label: name })) ?? [];
  if (choices.length === 0) return null;
  return <ChoiceFilter label="Agent" anyLabel="All agents" choices={choices} value={agent} onChange={onChange} />;
}

/** In which zone all times are told. */
function ZoneName() {
  const zone = viewerZone();
  return (
    <span title={`All times are in the time zone of this device, ${zone}`} className="truncate text-xs text-muted max-sm:hidden">
      <span className="sr-only">Times are in </span>
      {zone.replaceAll('_', ' ')}
    </span>
  );
}
