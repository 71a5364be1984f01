import { type ReadLine, readLine, unescapedText, unfoldedLines } from './reply-lines';

export interface CalendarAnswer {
  /**
   * Lower-case; null if the calendar gave no usable address for the attendee, so that only the mail's sender identifies them.
   */
  email: string | null;
  /** Null for any other PARTSTAT: needs action, delegated, unknown. */
  response: 'accepted' | 'declined' | 'tentative' | null;
}

/** The content of one VEVENT of a reply. */
export interface CalendarReply {
  uid: string;
  /** The event's sequence known to the attendee; null if missing. */
  sequence: number | null;
  /** When the reply was made; null if missing or invalid. */
  stamp: Date | null;
  /** The reply concerns one occurrence of a series (RECURRENCE-ID). */
  isForOccurrence: boolean;
  /** Usually one. Empty if the calendar omitted the attendee line. */
  answers: CalendarAnswer[];
}

/** Longer texts are not treated as replies. */
const maximumLength = 256 * 1024;
const maximumEvents = 50;
const maximumAnswers = 50;
const maximumUidLength = 1000;
/** Longer than any UID with escapes. */
const maximumValueLength = 10_000;

const responses: Record<string, CalendarAnswer['response']> = {
  ACCEPTED: 'accepted',
  DECLINED: 'declined',
  TENTATIVE: 'tentative',
};

const address = /^[^\s@<>"(),:;\\]+@[^\s@<>"(),:;\\]+$/;

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The address in `mailto:Bob@example.com`, `<bob@example.com>` or the like; null for invalid ones and directory names. */
function addressIn(written: string): string | null {
  if (written.length > 1000) return null;
  const bare = written
    .trim()
    .replace(/^"|"$/g, '')
    .replace(/^mailto:/i, '')
    .replace(/\?.*$/, '')
    .trim()
    .replace(/^<(.*)>$/, '$1');
  const email = decoded(bare).trim();
  return address.test(email) && email.length <= 320 ? email.toLowerCase() : null;
}

function answerOf({ parameters, value }: ReadLine): CalendarAnswer {
  // Exchange identifies people by its directory and gives their address separately; some calendars have it only as the name.
  const email = [value, parameters.get('EMAIL') ?? '', parameters.get('CN') ?? ''].map(addressIn).find((found) => found !== null);
  return { email: email ?? null, response: responses[(parameters.get('PARTSTAT') ?? '').toUpperCase()] ?? null };
}

/** Outlook's form of another calendar's UID: its hexadecimal bytes after "vCal-Uid", and a zero. */
const outlookForm = /^[0-9a-f]{32,200}7643616c2d55696401000000((?:[0-9a-f]{2})+)00$/i;

function uidOf(value: string): string | null {
  const uid = unescapedText(value.trim());
  if (uid === '' || uid.length > maximumUidLength) return null;
  const wrapped = outlookForm.exec(uid)?.[1];
  return wrapped === undefined ? uid : Buffer.from(wrapped, 'hex').toString('utf8');
}

function stampOf(value: string): Date | null {
  const parts = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z?$/i.exec(value.trim());
  if (parts === null) return null;
  const [year, month, day, hour, minute, second] = parts.slice(1).map(Number) as [number, number, number, number, number, number];
  const stamp = new Date(Date.UTC(year, month - 1, day, hour, minute, Math.min(second, 59)));
  const isReal = stamp.getUTCFullYear() === year && stamp.getUTCMonth() === month - 1 && stamp.getUTCDate() === day;
  return isReal && hour < 24 && minute < 60 && second <= 60 ? stamp : null;
}

function sequenceOf(value: string): number | null {
  const digits = /^\s*(\d{1,10})\s*$/.exec(value)?.[1];
  return digits === undefined || Number(digits) > 0x7fffffff ? null : Number(digits);
}

/** A VEVENT during parsing. */
class ReplyEvent {
  private uid: string | null = null;
  private sequence: number | null = null;
  private stamp: Date | null = null;
  private isForOccurrence = false;
  private readonly answers: CalendarAnswer[] = [];
  private isComplete = false;

  /** Called at END:VEVENT. Without it the reply may be cut off, so it is dropped. */
  complete(): void {
    this.isComplete = true;
  }

  take(line: ReadLine): void {
    const value = line.value.slice(0, maximumValueLength);
    if (line.name === 'UID') this.uid ??= uidOf(value);
    else if (line.name === 'SEQUENCE') this.sequence ??= sequenceOf(value);
    else if (line.name === 'DTSTAMP') this.stamp ??= stampOf(value);
    else if (line.name === 'RECURRENCE-ID') this.isForOccurrence = true;
    else if (line.name === 'ATTENDEE' && this.answers.length < maximumAnswers) this.answers.push(answerOf(line));
  }

  reply(): CalendarReply | null {
    const { uid, sequence, stamp, isForOccurrence, answers } = this;
    return uid === null || !this.isComplete ? null : { uid, sequence, stamp, isForOccurrence, answers };
  }
}

interface ReadCalendar {
  method: string | null;
  events: ReplyEvent[];
}

/** All calendars in a text, with their events. Ignores components within events (alarms) and outside them (time zones). */
function readCalendars(text: string): ReadCalendar[] {
  let current: ReadCalendar = { method: null, events: [] };
  const calendars = [current];
  const open: string[] = [];
  let event: ReplyEvent | null = null;
  let count = 0;
  for (const written of unfoldedLines(text)) {
    const line = readLine(written);
    if (line === null) continue;
    const component = line.value.trim().toUpperCase();
    if (line.name === 'BEGIN') {
      // A new event or calendar implicitly ends all open components.
      if (component === 'VEVENT' || component === 'VCALENDAR') open.length = 0;
      open.push(component);
      if (component === 'VCALENDAR') {
        current = { method: null, events: [] };
        calendars.push(current);
        if (calendars.length > maximumEvents) break;
      } else if (component === 'VEVENT') {
        count++;
        if (count > maximumEvents) break;
        event = new ReplyEvent();
        current.events.push(event);
      }
      if (open.length > 20) break;
    } else if (line.name === 'END') {
      const at = open.lastIndexOf(component);
      if (at >= 0) open.length = at;
      if (at >= 0 && component === 'VEVENT') event?.complete();
    } else if (open.at(-1) === 'VEVENT') event?.take(line);
    else if (line.name === 'METHOD') current.method ??= component;
  }
  return calendars;
}

/**
 * Reads an invitation reply (METHOD:REPLY, RFC 5546 3.2.3), tolerant of what calendars really send. Never throws; work and
 * result are bounded for any text.
 * The answers are unverified: the caller must check whether the mail's sender may give them.
 * @param text A decoded `text/calendar` part, at most 256 Ki UTF-16 units.
 * @param method The part's MIME parameter, for texts without METHOD; METHOD in the text takes precedence.
 * @returns One entry for each complete VEVENT (with its END) that has a UID, at most 50; null if there is none, or the text is
 * no reply.
 */
export function readReply(text: string, { method }: { method?: string | null } = {}): CalendarReply[] | null {
  if (text.length > maximumLength) return null;
  const replies = readCalendars(text.replace(/^\s*\ufeff/, ''))
    .filter((calendar) => (calendar.method ?? method?.trim().toUpperCase()) === 'REPLY')
    .flatMap(({ events }) => events.map((event) => event.reply()))
    .filter((reply) => reply !== null);
  return replies.length > 0 ? replies : null;
}
