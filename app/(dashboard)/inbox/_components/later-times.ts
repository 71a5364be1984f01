import { clockFields } from '@/app/_kit/viewer-format';
import type { MessageRecord } from '@/server/features/conversations/message.schema';

/** Times at which emails are sent later, and until which conversations are snoozed, in the zone of the browser. */

const [morning, afternoon, evening] = [8, 13, 18];

/** Milliseconds; an email that is sent sooner waits only so that it can be taken back. */
const soon = 60_000;

export interface LaterChoice {
  id: string;
  label: string;
  time: Date;
}

/** So many days after `now`, at a full hour. */
function dayAt(now: Date, days: number, hours: number): Date {
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() + days, hours);
}

/** Times that are offered; Monday only where it is not tomorrow. */
export function laterChoices(now: Date): LaterChoice[] {
  const untilMonday = (8 - now.getDay()) % 7 || 7;
  return [
    { id: 'morning', label: 'Tomorrow morning', time: dayAt(now, 1, morning) },
    { id: 'afternoon', label: 'Tomorrow afternoon', time: dayAt(now, 1, afternoon) },
    ...(untilMonday > 1 ? [{ id: 'monday', label: 'Monday morning', time: dayAt(now, untilMonday, morning) }] : []),
  ];
}

/** Times until which a conversation can be snoozed; today only while that is before the evening. */
export function snoozeChoices(now: Date): LaterChoice[] {
  const today = dayAt(now, 0, now.getHours() + 3);
  const isBeforeEvening = now.getHours() + 3 <= evening;
  return [...(isBeforeEvening ? [{ id: 'today', label: 'Later today', time: today }] : []), ...laterChoices(now)];
}

/** "Mon 30 Nov, 08:00" */
export function laterText(time: Date, locale: string, timeZone?: string): string {
  return time.toLocaleString(locale, { weekday: 'short', day: 'numeric', month: 'short', ...clockFields(locale), timeZone });
}

/** "Mon 30 Nov", or of today "08:00". */
export function shortLaterText(time: Date, now: Date, locale: string): string {
  const isToday = time.toDateString() === now.toDateString();
  return time.toLocaleString(locale, isToday ? clockFields(locale) : { weekday: 'short', day: 'numeric', month: 'short' });
}

/** Whether an email waits for its time, and not only for some seconds. */
export function isScheduled({ sendAt, createdAt }: Pick<MessageRecord, 'sendAt' | 'createdAt'>): boolean {
  return sendAt !== null && Date.parse(sendAt) - Date.parse(createdAt) > soon;
}

/** Whether a queued email has not left after a time in which others have. */
export function waitsLong(message: Pick<MessageRecord, 'sendAt' | 'createdAt'>, now: number): boolean {
  return isScheduled(message) || now - Date.parse(message.createdAt) > soon;
}

const yearMilliseconds = 365 * 86_400_000;

/** The time of a date field and a time field. @returns what is wrong with it, if anything, as the API says it */
export function chosenTime(date: string, time: string, now: Date): { time: Date; problem: string | null } {
  const chosen = new Date(`${date}T${time}`);
  if (Number.isNaN(chosen.getTime())) return { time: chosen, problem: 'is required' };
  if (chosen <= now) return { time: chosen, problem: 'must be in the future' };
  if (chosen.getTime() - now.getTime() > yearMilliseconds) return { time: chosen, problem: 'must be at most a year ahead' };
  return { time: chosen, problem: null };
}
