import type { Occurrence, Series } from '@/server/platform/ical/series';
import { cleanLine, cleanText, cutText } from '@/server/platform/mail/mail-characters';
import type { Span } from '../labels';

/** What a mail about an event is made of, and the cleaning of what people typed into it. */

export interface MailedMeeting {
  provider: 'zoom' | 'google_meet' | 'teams' | 'custom';
  url: string;
  password: string | null;
}

export interface MailedEvent {
  title: string;
  /** Plain text. */
  description: string | null;
  location: string | null;
  series: Series;
  /** The one time that the mail is about; without it, it is about the whole series. */
  occurrence?: Occurrence;
  meeting: MailedMeeting | null;
  status: 'confirmed' | 'tentative' | 'cancelled';
}

export type Answer = 'accepted' | 'declined' | 'tentative';

export interface MailedGuest {
  email: string;
  name: string | null;
  response: 'needs_action' | Answer;
  isOptional: boolean;
  isOrganizer: boolean;
}

export interface MailParties {
  /** The agent or person in whose name it is sent; '' where only the business has a name. */
  organizerName: string;
  organizerEmail: string;
  businessName: string;
  /** Who gets the mail. */
  invitee: { email: string; name: string | null };
  /** Everybody invited, the reader among them. */
  guests: MailedGuest[];
  /** The reader's personal page; opening it records nothing. */
  answerUrl: string | null;
  /** Plain text, or ''. */
  signature: string;
}

/** A mail without its addresses and headers. */
export interface ComposedMail {
  /** One line. */
  subject: string;
  text: string;
  html: string;
}

/** These turn what follows them around, so that a title could rewrite the sentence it stands in. */
const directionMarks = /[\u202a-\u202e\u2066-\u2069]/g;

/** Something typed, in one line. Longer than any field may be, it is cut. */
export function oneLine(text: string | null, maximum = 2_000): string {
  const line = cleanLine((text ?? '').replace(directionMarks, ''));
  return line.length <= maximum ? line : `${cutText(line, maximum - 1).trimEnd()}…`;
}

/** What mail programs show of a message before they cut it (Gmail: 102 kB with markup). */
const longestDescription = 10_000;

/** Something typed in several lines, without empty ones around it and with one at most between two. */
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

/** An address that may become a link, normalised; null for `javascript:` and everything else but http and https. */
export function webAddress(text: string | null): string | null {
  if (text === null || !URL.canParse(text)) return null;
  const { protocol, href } = new URL(text);
  return protocol === 'http:' || protocol === 'https:' ? href : null;
}

/** When the mail says the event is. */
export function spanOf({ series, occurrence }: MailedEvent): Span {
  return occurrence ? { ...series, start: occurrence.start, end: occurrence.end } : series;
}

/** The reader's own answer so far. */
export function answerOf({ invitee, guests }: MailParties): MailedGuest['response'] {
  const email = invitee.email.toLowerCase();
  return guests.find((guest) => guest.email.toLowerCase() === email)?.response ?? 'needs_action';
}
