import { dateOf } from '@/app/_kit/viewer-format';
import type { HomeEvent } from '@/server/features/home/home.schema';

/** Times of events, from which their days in the viewer's calendar are derived. */

type Times = Pick<HomeEvent, 'start' | 'end' | 'days'>;

/** The viewer's locale and zone. */
export interface Viewer {
  locale: string;
  /** IANA name; defaults to the browser's zone. */
  zone?: string;
}

/** First and last date of an event for the viewer. An end at midnight does not count the date it begins. */
function datesOf({ start, end, days }: Times, zone: string | undefined): { first: string; last: string } {
  if (days) return days;
  const from = Date.parse(start);
  return { first: dateOf(new Date(from), zone), last: dateOf(new Date(Math.max(from, Date.parse(end) - 1)), zone) };
}

function isOver({ start, end, days }: Times, now: Date): boolean {
  return days === null && Date.parse(end) <= now.getTime() && Date.parse(start) < now.getTime();
}

/** The rest of today, whole days first, and the first event after it. */
export function todayOf<Event extends Times>(
  events: readonly Event[],
  now: Date,
  zone?: string,
): { today: Event[]; next: Event | undefined } {
  const date = dateOf(now, zone);
  const today = events.filter((event) => {
    const { first, last } = datesOf(event, zone);
    return first <= date && date <= last && !isOver(event, now);
  });
  return {
    today: [...today.filter(({ days }) => days !== null), ...today.filter(({ days }) => days === null)],
    next: events.find((event) => datesOf(event, zone).first > date),
  };
}

/** Whether an event is in progress; never true for whole days. */
export function isNow({ start, end, days }: Times, now: Date): boolean {
  return days === null && Date.parse(start) <= now.getTime() && now.getTime() < Date.parse(end);
}

/** The time of an event of today: "09:00 – 10:00", "until 13:00" if it began before today, "All day". */
export function todayLabel(event: Times, now: Date, { locale, zone }: Viewer): string {
  if (event.days) return 'All day';
  const format = new Intl.DateTimeFormat(locale, { timeStyle: 'short', timeZone: zone });
  const clock = (moment: string) => format.format(new Date(moment));
  const date = dateOf(now, zone);
  const { first, last } = datesOf(event, zone);
  if (first < date) return last > date ? 'All day' : `until ${clock(event.end)}`;
  return last > date || event.start === event.end ? `from ${clock(event.start)}` : `${clock(event.start)} – ${clock(event.end)}`;
}

/** The time of a later event: "Tue 24 Nov, 09:00", or only the date for a whole day; with the year if it is not this one. */
export function laterLabel({ start, days }: Pick<Times, 'start' | 'days'>, now: Date, { locale, zone }: Viewer): string {
  const moment = new Date(days ? `${days.first}T12:00:00Z` : start);
  const timeZone = days ? 'UTC' : zone;
  const isThisYear = dateOf(moment, timeZone).slice(0, 4) === dateOf(now, zone).slice(0, 4);
  const date = new Intl.DateTimeFormat(locale, {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    ...(isThisYear ? {} : { year: 'numeric' }),
    timeZone,
  }).format(moment);
  return days ? date : `${date}, ${new Intl.DateTimeFormat(locale, { timeStyle: 'short', timeZone }).format(moment)}`;
}

/** A link to the calendar at the event's date with the event open. */
export function eventHref(
  { id, start, days, occurrenceStart }: Pick<HomeEvent, 'id' | 'start' | 'days' | 'occurrenceStart'>,
  zone?: string,
): string {
  const date = days ? days.first : dateOf(new Date(start), zone);
  const query = new URLSearchParams({ date, event: id, ...(occurrenceStart ? { at: occurrenceStart } : {}) });
  return `/calendar?${query}`;
}
