import * as z from 'zod';
import { toNumber, toPath } from '@/app/_kit/form-values';
import {
  type CreateEventRequest,
  createEventInput,
  type EventColor,
  type EventRecord,
  type EventStatus,
  type meetingProviders,
  type reminderUnits,
} from '@/server/features/calendar/calendar.schema';
import type { Series } from '@/server/platform/ical/series';
import { dayLength, instantOf, localTime } from '@/server/platform/ical/zones';
import { dateOfWall } from '../zone-clock';
import { parseWall, timeOfWall } from './wall-clock';

export interface InviteeValues {
  email: string;
  name: string;
  isOptional: boolean;
}

export interface ReminderValues {
  /** As typed. */
  value: string;
  unit: (typeof reminderUnits)[number];
}

/** An event as form values: dates and times as wall times of its zone, and the empty text for unset fields. */
export interface EventValues {
  title: string;
  allDay: boolean;
  startDate: string;
  startTime: string;
  /** The last day, inclusive, of whole days. */
  endDate: string;
  endTime: string;
  timezone: string;
  recurrence: EventRecord['recurrence'];
  recurrenceEndDate: string;
  location: string;
  meeting: { provider: 'none' | (typeof meetingProviders)[number]; url: string; password: string };
  description: string;
  color: EventColor;
  agentId: string;
  invitees: InviteeValues[];
  /** The text in the field for another invitee. */
  inviteeText: string;
  sendEmailReminders: boolean;
  reminders: ReminderValues[];
  status: EventStatus;
}

/** The times of an event as stored: moments with their zone. */
export type EventTimes = Pick<EventRecord, 'startTime' | 'endTime' | 'timezone' | 'allDay'>;

/** Default hours of an all-day event that becomes a timed one. */
const workingHour = { startTime: '09:00', endTime: '10:00' };

/** Dates and times of an event, as wall times of its zone. */
function timesAsTyped({ startTime, endTime, timezone, allDay }: EventTimes) {
  const start = localTime(Date.parse(startTime), timezone);
  if (allDay) {
    const last = Math.max(start, localTime(Date.parse(endTime) - 1, timezone));
    return { startDate: dateOfWall(start), endDate: dateOfWall(last), ...workingHour };
  }
  const end = localTime(Date.parse(endTime), timezone);
  return { startDate: dateOfWall(start), startTime: timeOfWall(start), endDate: dateOfWall(end), endTime: timeOfWall(end) };
}

/** The last date of a series. Exactly 00:00 UTC means that date, anything else is a moment. */
function lastDate({ recurrenceEndDate, timezone }: EventRecord): string {
  if (recurrenceEndDate === null) return '';
  const until = Date.parse(recurrenceEndDate);
  return dateOfWall(until % dayLength === 0 ? until : localTime(until, timezone));
}

/** A stored event as form values. */
export function toValues(event: EventRecord): EventValues {
  const { virtualMeeting: meeting } = event;
  return {
    title: event.title,
    allDay: event.allDay,
    ...timesAsTyped(event),
    timezone: event.timezone,
    recurrence: event.recurrence,
    recurrenceEndDate: lastDate(event),
    location: event.location,
    meeting: { provider: meeting?.provider ?? 'none', url: meeting?.url ?? '', password: meeting?.password ?? '' },
    description: event.description,
    color: event.color,
    agentId: event.agentId ?? '',
    invitees: event.invitees.map(({ email, name, isOptional }) => ({ email, name, isOptional })),
    inviteeText: '',
    sendEmailReminders: event.sendEmailReminders,
    reminders: event.reminders.map(({ value, unit }) => ({ value: String(value), unit })),
    status: event.status,
  };
}

/** Initial values of a new event. */
export function newValues(draft: EventTimes): EventValues {
  return {
    title: '',
    allDay: draft.allDay,
    ...timesAsTyped(draft),
    timezone: draft.timezone,
    recurrence: 'none',
    recurrenceEndDate: '',
    location: '',
    meeting: { provider: 'none', url: '', password: '' },
    description: '',
    color: 'blue',
    agentId: '',
    invitees: [],
    inviteeText: '',
    sendEmailReminders: true,
    reminders: [],
    status: 'confirmed',
  };
}

/** The moments of dates and times, the end exclusive; null if something is missing. */
export function momentsOf(values: EventValues): { start: number | null; end: number | null } {
  const { allDay, startDate, startTime, endDate, endTime, timezone } = values;
  const start = parseWall(startDate, allDay ? undefined : startTime);
  const end = parseWall(endDate, allDay ? undefined : endTime);
  return {
    start: start === null ? null : instantOf(start, timezone),
    end: end === null ? null : instantOf(allDay ? end + dayLength : end, timezone),
  };
}

/** The typed event for its labels; null while its times are incomplete. */
export function seriesOf(values: EventValues): Series | null {
  const { start, end } = momentsOf(values);
  if (start === null || end === null) return null;
  const { timezone, allDay, recurrence, recurrenceEndDate } = values;
  return { start, end, timezone, allDay, frequency: recurrence, until: parseWall(recurrenceEndDate) };
}

const iso = (at: number | null) => {
  const time = at === null ? null : new Date(at);
  return time === null || Number.isNaN(time.getTime()) ? '' : time.toISOString();
};

/** The complete request. */
export function toRequest(values: EventValues): CreateEventRequest {
  const { start, end } = momentsOf(values);
  const { meeting, recurrence, recurrenceEndDate } = values;
  return {
    title: values.title.trim(),
    description: values.description,
    startTime: iso(start),
    endTime: iso(end),
    timezone: values.timezone,
    allDay: values.allDay,
    location: values.location.trim(),
    virtualMeeting:
      meeting.provider === 'none'
        ? null
        : {
            provider: meeting.provider,
            url: meeting.url.trim(),
            ...(meeting.password.trim() === '' ? {} : { password: meeting.password.trim() }),
          },
    color: values.color,
    recurrence,
    recurrenceEndDate: recurrence === 'none' || recurrenceEndDate === '' ? null : recurrenceEndDate,
    agentId: values.agentId === '' ? null : values.agentId,
    sendEmailReminders: values.sendEmailReminders,
    reminders: values.reminders.map(({ value, unit }) => ({ type: 'email', value: toNumber(value), unit })),
    invitees: values.invitees.map(({ email, name, isOptional }) => ({ email, name: name.trim(), isOptional })),
  };
}

/** Maps a field of the procedure to the form field that shows its errors. */
export function formPath(path: string): string | null {
  if (path === 'startTime') return 'startDate';
  if (path === 'endTime') return 'endDate';
  if (path === 'virtualMeeting') return 'meeting.url';
  if (path.startsWith('virtualMeeting.')) return path.replace('virtualMeeting', 'meeting');
  return ['eventId', 'notifyAttendeesOfChanges'].includes(path) ? null : path;
}

/** Errors in dates and times, by the field to correct. */
function timeProblems(values: EventValues): [path: keyof EventValues, message: string][] {
  const { allDay, startDate, startTime, endDate, endTime, recurrence, recurrenceEndDate } = values;
  const problems: [keyof EventValues, string][] = [];
  if (parseWall(startDate) === null) problems.push(['startDate', 'must be a date']);
  if (parseWall(endDate) === null) problems.push(['endDate', 'must be a date']);
  if (!allDay && parseWall('2000-01-01', startTime) === null) problems.push(['startTime', 'must be a time']);
  if (!allDay && parseWall('2000-01-01', endTime) === null) problems.push(['endTime', 'must be a time']);
  if (problems.length > 0) return problems;
  const { start, end } = momentsOf(values);
  if (start !== null && end !== null && end <= start) {
    if (allDay || endDate < startDate) problems.push(['endDate', 'must not be before the start date']);
    else problems.push(['endTime', 'must be after the start time']);
  }
  if (recurrence !== 'none' && recurrenceEndDate !== '' && recurrenceEndDate < startDate)
    problems.push(['recurrenceEndDate', 'must not be before the start date']);
  return problems;
}

/** The procedure's rules applied to the form's values, plus rules of the form itself. */
export const eventFormSchema = z.custom<EventValues>().superRefine((values, context) => {
  const reported = new Set<string>();
  const report = (path: string, message: string) => {
    if (reported.has(path)) return;
    reported.add(path);
    context.addIssue({ code: 'custom', path: toPath(path), message });
  };
  const problems = timeProblems(values);
  for (const [path, message] of problems) report(path, message);
  if (values.inviteeText.trim() !== '') report('inviteeText', 'must be an email address or empty');
  for (const { path, message } of createEventInput.safeParse(toRequest(values)).error?.issues ?? []) {
    const shown = formPath(path.join('.'));
    const isTime = shown === 'startDate' || shown === 'endDate';
    // The form has reported missing values already.
    if (shown !== null && !(isTime && problems.length > 0)) report(shown, message);
  }
});

/** Moves the end along with the beginning, so that the length in wall time stays. Does nothing if the length is not known. */
export function movedEnd(
  before: EventValues,
  after: Pick<EventValues, 'startDate' | 'startTime'>,
): Pick<EventValues, 'endDate' | 'endTime'> | null {
  const isDates = before.allDay;
  const from = parseWall(before.startDate, isDates ? undefined : before.startTime);
  const to = parseWall(after.startDate, isDates ? undefined : after.startTime);
  const end = parseWall(before.endDate, isDates ? undefined : before.endTime);
  if (from === null || to === null || end === null || end < from) return null;
  const moved = end + (to - from);
  if (!(moved < Date.UTC(9999, 11))) return null;
  return { endDate: dateOfWall(moved), endTime: isDates ? before.endTime : timeOfWall(moved) };
}

/** The last date without hours: an event that ended at midnight ended the day before. */
export function lastWholeDate({ startDate, endDate, endTime }: EventValues): string {
  const end = parseWall(endDate);
  return end !== null && endTime === '00:00' && endDate > startDate ? dateOfWall(end - dayLength) : endDate;
}
