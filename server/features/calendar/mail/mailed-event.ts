import type { IcsAttendee } from '@/server/platform/ical/ics/calendar-event';
import type { Occurrence, Series } from '@/server/platform/ical/series';
import { cleanLine, cleanText, cutText } from '@/server/platform/text';
import type { EventStatus, VirtualMeeting } from '../calendar.schema';
import type { InviteeResponse } from '../invitee.schema';
import type { Span } from '../labels';

/** Input of the mails about an event, and the sanitizing of user-entered text. */

export interface MailedEvent {
  title: string;
  /** Plain text. */
  description: string | null;
  location: string | null;
  series: Series;
  /** The occurrence that the mail is about; undefined for the whole series. */
  occurrence?: Occurrence;
  meeting: VirtualMeeting | null;
  status: EventStatus;
}

export interface MailParties {
  /** The agent or person that sends it; '' if only the business has a name. */
  organizerName: string;
  organizerEmail: string;
  businessName: string;
  /** The recipient. */
  invitee: { email: string; name: string | null };
  /** All invitees, including the reader. */
  guests: IcsAttendee[];
  /** The reader's RSVP page; opening it records nothing. */
  answerUrl: string | null;
  /** Plain text, or ''. */
  signature: string;
}

/** A mail without addresses and headers. */
export interface ComposedMail {
  /** One line. */
  subject: string;
  text: string;
  html: string;
}

/** Directional overrides and isolates, with which a title could reorder the surrounding sentence. */
const directionMarks = /[\u202a-\u202e\u2066-\u2069]/g;

/** User-entered text as one line, cut to `maximum` characters. */
export function oneLine(text: string | null, maximum = 2_000): string {
  const line = cleanLine((text ?? '').replace(directionMarks, ''));
  return line.length <= maximum ? line : `${cutText(line, maximum - 1).trimEnd()}…`;
}

/** Keeps a mail below the size at which mail programs cut it (Gmail: 102 kB with markup). In characters. */
const longestDescription = 10_000;

/** User-entered text with line breaks, trimmed, with at most one empty line in a row. */
export function manyLines(text: string | null): string {
  const clean = cleanText((text ?? '').replace(directionMarks, ''))
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .replace(/^\n+/, '')
    .trimEnd();
  return clean.length <= longestDescription ? clean : `${cutText(clean, longestDescription).trimEnd()}…`;
}

/** A normalised URL that may become a link; null for anything but http and https, such as `javascript:`. */
export function webAddress(text: string | null): string | null {
  if (text === null || !URL.canParse(text)) return null;
  const { protocol, href } = new URL(text);
  return protocol === 'http:' || protocol === 'https:' ? href : null;
}

/** The times that the mail shows. */
export function spanOf({ series, occurrence }: MailedEvent): Span {
  return occurrence ? { ...series, start: occurrence.start, end: occurrence.end } : series;
}

/** The reader's current response. */
export function answerOf({ invitee, guests }: MailParties): InviteeResponse {
  const email = invitee.email.toLowerCase();
  return guests.find((guest) => guest.email.toLowerCase() === email)?.response ?? 'needs_action';
}
