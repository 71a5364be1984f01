'use client';

import { usePageKeys } from '@/app/_kit/use-page-keys';
import { type CalendarCommand, calendarKeys } from './calendar-keys';

/** Runs what single keys stand for in the calendar. */
export function useCalendarKeys(handlers: Partial<Record<CalendarCommand, () => void>>): void {
  usePageKeys('Calendar', calendarKeys, handlers);
}
