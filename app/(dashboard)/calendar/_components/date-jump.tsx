'use client';

import { ChevronDown, ChevronLeft, ChevronRight } from 'lucide-react';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { Button } from '@/app/_kit/button';
import { IconButton } from '@/app/_kit/icon-button';
import { Popover, PopoverContent } from '@/app/_kit/overlay/popover';
import { addMonths, shownRange } from './view-range';
import { addDays, wallOfDate } from './zone-clock';

interface DateJumpProps {
  /** What is shown at the moment, in words. */
  title: string;
  date: string;
  today: string;
  firstDay: number;
  locale: string;
  onChoose: (date: string) => void;
}

/** What is shown, and a small month to jump from. */
export function DateJump({ title, ...days }: DateJumpProps) {
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

/** How far each key goes, in days. */
const keySteps: Record<string, number> = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7 };

/** A month of dates; arrows go from date to date, Page Up and Page Down from month to month. */
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
          <IconButton label="Month before" onPress={() => setCurrent(addMonths(current, -1))}>
            <ChevronLeft aria-hidden />
          </IconButton>
          <IconButton label="Month after" onPress={() => setCurrent(addMonths(current, 1))}>
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
