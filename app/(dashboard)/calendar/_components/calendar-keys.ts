import type { PageKeys } from '@/app/_kit/page-keys';

export type CalendarCommand = 'new' | 'today' | 'next' | 'previous' | 'month' | 'week' | 'day' | 'agenda';

/** The calendar's shortcuts. Only those that move through time repeat while a key is held down. */
export const calendarKeys: PageKeys<CalendarCommand> = {
  new: { keys: ['n', 'c'], meaning: 'New event' },
  today: { keys: ['t'], meaning: 'Today' },
  next: { keys: ['j', 'ArrowRight'], meaning: 'Next', repeats: true },
  previous: { keys: ['k', 'ArrowLeft'], meaning: 'Previous', repeats: true },
  month: { keys: ['m'], meaning: 'Month' },
  week: { keys: ['w'], meaning: 'Week' },
  day: { keys: ['d'], meaning: 'Day' },
  agenda: { keys: ['a'], meaning: 'Agenda' },
};
