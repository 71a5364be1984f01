import { cleanText } from './content-lines';
import { type ReadLine, readLine, unescapedText, unfoldedLines } from './reply-lines';

export interface CalendarAnswer {
  /** Lower-case; null when the calendar named the answering person in no way one could write to, so that only the sender is left. */
  email: string | null;
  /** Null for anything but an answer: still to be given, delegated, unknown. */
  response: 'accepted' | 'declined' | 'tentative' | null;
}

/** What one VEVENT of a reply says. */
export interface CalendarReply {
  uid: string;
  /** Of the event as the answering person knew it; null when not told. */
  sequence: number | null;
  /** When the answer was given; null when not told, or no date. */
  stamp: Date | null;
  /** The answer concerns one occurrence of a series (RECURRENCE-ID). */
  isForOccurrence: boolean;
  /** One, as a rule. Empty when the calendar left the line out. */
  answers: CalendarAnswer[];
  /** What the person wrote with the answer; clean, at most 2,000 characters. */
  comment: string;
}

/** Longer texts are no replies. */
const maximumLength = 1024 * 1024;
const maximumEvents = 50;
const maximumAnswers = 50;
const maximumUidLength = 1000;
const maximumCommentLength = 2000;
/** Longer than any comment that is kept, with escapes. */
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

/** An address out of `mailto:Bob@example.com`, `<bob@example.com>` or the like; null for invalid ones and the names of directories. */
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
  // Exchange names people by its directory and tells their address apart; some calendars have it in place of a name only.
  const email = [value, parameters.get('EMAIL') ?? '', parameters.get('CN') ?? ''].map(addressIn).find((found) => found !== null);
  return { email: email ?? null, response: responses[(parameters.get('PARTSTAT') ?? '').toUpperCase()] ?? null };
}

/** Outlook's own form of an identifier that another calendar gave: its hexadecimal bytes behind "vCal-Uid", and a zero. */
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

/** A VEVENT while it is read. */
class ReplyEvent {
  private uid: string | null = null;
  private sequence: number | null = null;
  private stamp: Date | null = null;
  private isForOccurrence = false;
  private readonly answers: CalendarAnswer[] = [];
  private readonly comments: string[] = [];
  private isComplete = false;

  /** END:VEVENT has come. Without it the rest of the answer may be missing (a cut-off file), and with it what the answer was about. */
  complete(): void {
    this.isComplete = true;
  }

  take(line: ReadLine): void {
    const value = line.value.slice(0, maximumValueLength);
    if (line.name === 'UID') this.uid ??= uidOf(value);
    else if (line.name === 'SEQUENCE') this.sequence ??= sequenceOf(value);
    else if (line.name === 'DTSTAMP') this.stamp ??= stampOf(value);
    else if (line.name === 'RECURRENCE-ID') this.isForOccurrence = true;
    else if (line.name === 'COMMENT' && this.comments.length < 10) this.comments.push(unescapedText(value));
    else if (line.name === 'ATTENDEE' && this.answers.length < maximumAnswers) this.takeAnswer(line);
  }

  private takeAnswer(line: ReadLine): void {
    this.answers.push(answerOf(line));
    const comment = line.parameters.get('X-RESPONSE-COMMENT');
    if (comment !== undefined && this.comments.length < 10) this.comments.push(comment.slice(0, maximumValueLength));
  }

  reply(): CalendarReply | null {
    const { uid, sequence, stamp, isForOccurrence, answers } = this;
    if (uid === null || !this.isComplete) return null;
    const comment = cleanText([...new Set(this.comments)].join('\n'));
    const shown = Array.from(comment.slice(0, 2 * maximumCommentLength))
      .slice(0, maximumCommentLength)
      .join('');
    return { uid, sequence, stamp, isForOccurrence, answers, comment: shown };
  }
}

interface ReadCalendar {
  method: string | null;
  events: ReplyEvent[];
}

/** All calendars of a text, with their events; what is within events (alarms) and beside them (time zones) is passed over. */
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
      // Whoever begins an event or a calendar has ended all before, said or not.
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
 * Reads the answer to an invitation (METHOD:REPLY, RFC 5546 3.2.3) as calendars really send it. Never throws; work and result are bounded
 * whatever the text is.
 *
 * The answers are as the text claims; whether the mail's sender may give them is for the caller to judge.
 *
 * @param text A decoded `text/calendar` part, at most 1 MiB.
 * @param method The part's MIME parameter, for texts that leave METHOD out; what the text says goes before it.
 * @returns One entry for each whole VEVENT (with its END) that has a UID, at most 50; null when there is none, or the text is no reply.
 */
export function readReply(text: string, { method }: { method?: string | null } = {}): CalendarReply[] | null {
  if (text.length > maximumLength) return null;
  const replies = readCalendars(text.replace(/^\s*\ufeff/, ''))
    .filter((calendar) => (calendar.method ?? method?.trim().toUpperCase()) === 'REPLY')
    .flatMap(({ events }) => events.map((event) => event.reply()))
    .filter((reply) => reply !== null);
  return replies.length > 0 ? replies : null;
}
