import { recurrenceWords, whenParts, whenWords } from '../labels';
import {
  type MailedEvent,
  type MailedGuest,
  type MailedMeeting,
  type MailParties,
  oneLine,
  spanOf,
  webAddress,
} from './mailed-event';

/** What a mail says about an event, as labels and lines that text and HTML both show. */

export interface Fact {
  label: string;
  /** Plain text, a line each. */
  lines: string[];
  /** Belongs to the last line, but matters less. */
  note?: string;
  /** Where the first line leads. */
  href?: string;
}

/** What an update changed. '' stands for nothing. */
export interface Change {
  label: string;
  before: string;
  after: string;
}

export interface JoinLink {
  /** `Join with Zoom`. */
  label: string;
  /** As it was typed. */
  shown: string;
  /** null where it is no web address and so no link. */
  href: string | null;
  password: string;
}

const providers: Record<MailedMeeting['provider'], string> = {
  zoom: 'Zoom',
  google_meet: 'Google Meet',
  teams: 'Microsoft Teams',
  custom: 'Online meeting',
};

export function joinLink({ provider, url, password }: MailedMeeting): JoinLink {
  return {
    label: provider === 'custom' ? 'Join the meeting' : `Join with ${providers[provider]}`,
    shown: oneLine(url),
    href: webAddress(url),
    password: oneLine(password),
  };
}

const meetingWords = (meeting: MailedMeeting | null) =>
  meeting ? `${providers[meeting.provider]}, ${oneLine(meeting.url)}` : '';

/** Date and time, and how often where the mail is about the whole series. */
export function whenFacts(event: MailedEvent): Fact[] {
  const repeats = event.series.frequency !== 'none' && !event.occurrence;
  const { times, zone } = whenParts(spanOf(event));
  return [
    { label: repeats ? 'First' : 'When', lines: [times], ...(zone === null ? {} : { note: zone }) },
    ...(repeats ? [{ label: 'Repeats', lines: [recurrenceWords(event.series)] }] : []),
  ];
}

export function whereFacts({ location }: MailedEvent): Fact[] {
  const line = oneLine(location);
  if (!line) return [];
  const href = /^https?:\/\/\S+$/i.test(line) ? webAddress(line) : null;
  return [{ label: 'Where', lines: [line], ...(href ? { href } : {}) }];
}

export function organizerFact({ organizerName, businessName, organizerEmail }: MailParties): Fact {
  const name = oneLine(organizerName) || oneLine(businessName);
  const email = oneLine(organizerEmail);
  return { label: 'Organizer', lines: [name && name !== email ? `${name} (${email})` : email] };
}

const answerMarks: Record<MailedGuest['response'], string> = {
  accepted: 'accepted',
  tentative: 'maybe',
  declined: 'declined',
  needs_action: '',
};

/** Beyond these nobody reads on. */
const namedGuests = 20;

/** Who is invited, with their answers. The organizer has a line of their own. */
export function guestFacts({ guests, invitee }: MailParties): Fact[] {
  const invited = guests.filter(({ isOrganizer }) => !isOrganizer);
  if (invited.length === 0) return [];
  const reader = invitee.email.toLowerCase();
  const line = ({ email, name, response, isOptional }: MailedGuest) => {
    const marks = [email.toLowerCase() === reader ? 'you' : '', isOptional ? 'optional' : '', answerMarks[response]].filter(
      Boolean,
    );
    return `${oneLine(name, 100) || oneLine(email)}${marks.length > 0 ? ` (${marks.join(', ')})` : ''}`;
  };
  // A single name left out would take the line that says so.
  const shown = invited.length <= namedGuests + 1 ? invited : invited.slice(0, namedGuests);
  const more = invited.length - shown.length;
  return [{ label: 'Guests', lines: [...shown.map(line), ...(more > 0 ? [`and ${more} more`] : [])] }];
}

/** `2 accepted, 1 maybe, 3 without an answer`. */
export function answerTally({ guests }: MailParties): string {
  const counts = (['accepted', 'tentative', 'declined', 'needs_action'] as const).map((response) => {
    const count = guests.filter((guest) => !guest.isOrganizer && guest.response === response).length;
    return count > 0 ? `${count} ${answerMarks[response] || 'without an answer'}` : '';
  });
  return counts.filter(Boolean).join(', ');
}

const statusWords: Record<MailedEvent['status'], string> = {
  confirmed: 'Confirmed',
  tentative: 'Not confirmed yet',
  cancelled: 'Cancelled',
};

/** What an update changed of what the reader was told before; empty where it changed only the guests. */
export function changesBetween(before: MailedEvent, after: MailedEvent): Change[] {
  const compared: [label: string, of: (event: MailedEvent) => string][] = [
    ['Title', ({ title }) => oneLine(title)],
    ['When', (event) => whenWords(spanOf(event))],
    ['Repeats', ({ series }) => recurrenceWords(series)],
    ['Where', ({ location }) => oneLine(location)],
    ['Meeting', ({ meeting }) => meetingWords(meeting)],
    ['Meeting password', ({ meeting }) => oneLine(meeting?.password ?? null)],
    ['Status', ({ status }) => statusWords[status]],
  ];
  return compared
    .map(([label, of]) => ({ label, before: of(before), after: of(after) }))
    .filter((change) => change.before !== change.after);
}
