'use client';

import { useQuery } from '@tanstack/react-query';
import { ChevronLeft, ChevronRight } from 'lucide-react';
import { Button } from '@/app/_kit/button';
import { ChoiceFilter } from '@/app/_kit/choice-filter';
import { IconButton } from '@/app/_kit/icon-button';
import { Segments } from '@/app/_kit/segments';
import { useTRPC } from '@/app/_trpc/client';
import { calendarViews } from '../search-params';
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
        <IconButton label="Earlier" aria-keyshortcuts="k" onPress={() => step(-1)}>
          <ChevronLeft aria-hidden />
        </IconButton>
        <IconButton label="Later" aria-keyshortcuts="j" onPress={() => step(1)}>
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
