import type { StatusTone } from '@/app/_kit/status-badge';
import { clockFields } from '@/app/_kit/viewer-format';
import type { Conflict } from '@/server/features/calendar/availability.schema';
import type { EventColor, EventRecord, EventStatus } from '@/server/features/calendar/calendar.schema';
import type { InviteeRecord, InviteeResponse } from '@/server/features/calendar/invitee.schema';
import type { Series } from '@/server/platform/ical/series';
import { dayLength, instantOf, localTime } from '@/server/platform/ical/zones';
import type { EventValues } from './event-values';

export const answerLabels: Record<InviteeResponse, { label: string; short: string; tone: StatusTone }> = {
  accepted: { label: 'Accepted', short: 'yes', tone: 'success' },
  declined: { label: 'Declined', short: 'no', tone: 'danger' },
  tentative: { label: 'Tentative', short: 'maybe', tone: 'warning' },
  needs_action: { label: 'Pending', short: 'pending', tone: 'neutral' },
};

export const statusLabels: Record<EventStatus, { label: string; tone: StatusTone }> = {
  confirmed: { label: 'Confirmed', tone: 'success' },
  tentative: { label: 'Tentative', tone: 'warning' },
  cancelled: { label: 'Canceled', tone: 'danger' },
};

export const colorNames: Record<EventColor, string> = {
  blue: 'Blue',
  green: 'Green',
  red: 'Red',
  purple: 'Purple',
  orange: 'Orange',
};

export const providerNames: Record<EventValues['meeting']['provider'], string> = {
  none: 'No online meeting',
  zoom: 'Zoom',
  google_meet: 'Google Meet',
  teams: 'Microsoft Teams',
  custom: 'Other link',
};

const answeredBy = { mail: 'by email', link: 'with the link in the email', api: 'in Frontdesk' } as const;

/** How a reply was given, to follow "Accepted" and a time. */
export const answerChannel = ({ answeredBy: by }: Pick<InviteeRecord, 'answeredBy'>) => (by === null ? '' : answeredBy[by]);

const answerOrder: readonly InviteeResponse[] = ['accepted', 'declined', 'tentative', 'needs_action'];

/** `3 yes, 1 no, 2 waiting` */
export function answerSummary(invitees: readonly Pick<InviteeRecord, 'responseStatus'>[]): string {
  return answerOrder
    .map((answer) => ({ answer, count: invitees.filter(({ responseStatus }) => responseStatus === answer).length }))
    .filter(({ count }) => count > 0)
    .map(({ answer, count }) => `${count} ${answerLabels[answer].short}`)
    .join(', ');
}

/** `1 guest`, `3 guests` */
export const counted = (count: number, noun: string) => `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`;

/** The invitees who would be mailed about a change: all but the business itself. */
export const mailedInvitees = (event: Pick<EventRecord, 'invitees'>) =>
  event.invitees.filter(({ isOrganizer }) => !isOrganizer).length;

/** The fields of an event that its labels use. */
export function seriesOfEvent(event: EventRecord): Series {
  return {
    start: Date.parse(event.startTime),
    end: Date.parse(event.endTime),
    timezone: event.timezone,
    allDay: event.allDay,
    frequency: event.recurrence,
    until: event.recurrenceEndDate === null ? null : Date.parse(event.recurrenceEndDate),
  };
}

/**
 * One occurrence of a series with the length of the first. Whole days are counted on the calendar, since some have 23 or 25
 * hours.
 */
export function occurrenceOf(series: Series, occurrenceStart: string | null): Series {
  const start = occurrenceStart === null ? Number.NaN : Date.parse(occurrenceStart);
  if (Number.isNaN(start)) return series;
  if (!series.allDay) return { ...series, start, end: start + series.end - series.start };
  const { timezone } = series;
  const dateAt = (at: number) => Math.floor(localTime(at, timezone) / dayLength);
  const days = Math.max(1, dateAt(series.end - 1) - dateAt(series.start) + 1);
  return { ...series, start, end: instantOf((dateAt(start) + days) * dayLength, timezone) };
}

/**
 * The time of a conflict: `Tue, 24 Nov, 14:30 – 16:00` in the viewer's zone; whole days as dates in the event's zone.
 *
 * @param viewer IANA zone, and an English locale
 */
export function conflictTimes(
  { startTime, endTime, allDay, timezone }: Pick<Conflict, 'startTime' | 'endTime' | 'allDay' | 'timezone'>,
  { timeZone, locale }: { timeZone: string; locale: string },
): string {
  const [start, end] = [Date.parse(startTime), Date.parse(endTime)];
  const date = { weekday: 'short', day: 'numeric', month: 'short' } as const;
  if (!allDay) {
    return new Intl.DateTimeFormat(locale, { ...date, timeZone, ...clockFields(locale) }).formatRange(start, end);
  }
  const isOneDay = Math.floor(localTime(end - 1, timezone) / dayLength) === Math.floor(localTime(start, timezone) / dayLength);
  const days = new Intl.DateTimeFormat(
    locale,
    isOneDay ? { ...date, timeZone: timezone } : { day: 'numeric', month: 'short', timeZone: timezone },
  );
  return `${days.formatRange(start, end - 1)}, all day`;
}
