import type { IcsAttendee } from '@/server/platform/ical/ics/calendar-event';
import type { VirtualMeeting } from '../calendar.schema';
import type { InviteeResponse } from '../invitee.schema';
import { recurrenceLabel, whenLabel, whenParts } from '../labels';
import { type MailedEvent, type MailParties, oneLine, spanOf, webAddress } from './mailed-event';

/** An entry of a mail about an event: a label and lines, shown in both text and HTML. */

export interface Fact {
  label: string;
  /** Plain text, one entry per line. */
  lines: string[];
  /** Less important addition to the last line. */
  note?: string;
  /** Link of the first line. */
  href?: string;
}

/** One difference listed by an update. '' means empty. */
export interface Change {
  label: string;
  before: string;
  after: string;
}

export interface JoinLink {
  /** `Join with Zoom`. */
  label: string;
  /** As typed. */
  shown: string;
  /** null if it is not a web address and so not linked. */
  href: string | null;
  password: string;
}

const providers: Record<VirtualMeeting['provider'], string> = {
  zoom: 'Zoom',
  google_meet: 'Google Meet',
  teams: 'Microsoft Teams',
  custom: 'Online meeting',
};

export function joinLink({ provider, url, password = '' }: VirtualMeeting): JoinLink {
  return {
    label: provider === 'custom' ? 'Join the meeting' : `Join with ${providers[provider]}`,
    shown: oneLine(url),
    href: webAddress(url),
    password: oneLine(password),
  };
}

const meetingWords = (meeting: VirtualMeeting | null) =>
  meeting ? `${providers[meeting.provider]}, ${oneLine(meeting.url)}` : '';

/** Date and time, and the recurrence if the mail is about the whole series. */
export function whenFacts(event: MailedEvent): Fact[] {
  const repeats = event.series.frequency !== 'none' && !event.occurrence;
  const { times, zone } = whenParts(spanOf(event));
  return [
    { label: repeats ? 'First' : 'When', lines: [times], ...(zone === null ? {} : { note: zone }) },
    ...(repeats ? [{ label: 'Repeats', lines: [recurrenceLabel(event.series)] }] : []),
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

const answerMarks: Record<InviteeResponse, string> = {
  accepted: 'accepted',
  tentative: 'maybe',
  declined: 'declined',
  needs_action: '',
};

/** Further guests are only counted. */
const namedGuests = 20;

/** The invitees with their responses. The organizer has a separate line. */
export function guestFacts({ guests, invitee }: MailParties): Fact[] {
  const invited = guests.filter(({ isOrganizer }) => !isOrganizer);
  if (invited.length === 0) return [];
  const reader = invitee.email.toLowerCase();
  const line = ({ email, name, response, isOptional }: IcsAttendee) => {
    const marks = [email.toLowerCase() === reader ? 'you' : '', isOptional ? 'optional' : '', answerMarks[response]].filter(
      Boolean,
    );
    return `${oneLine(name, 100) || oneLine(email)}${marks.length > 0 ? ` (${marks.join(', ')})` : ''}`;
  };
  // If only one name were left out, the line saying so would take its space.
  const shown = invited.length <= namedGuests + 1 ? invited : invited.slice(0, namedGuests);
  const more = invited.length - shown.length;
  return [{ label: 'Guests', lines: [...shown.map(line), ...(more > 0 ? [`and ${more} more`] : [])] }];
}

/** `2 accepted, 1 maybe, 3 without an answer`. */
export function answerTally({ guests }: MailParties): string {
  const counts = (['accepted', 'tentative', 'declined', 'needs_action'] as const).map((response) => {
    const count = guests.filter((guest) => !guest.isOrganizer && guest.response === response).length;
    return count > 0 ? `${count} ${answerMarks[response] || 'no response'}` : '';
  });
  return counts.filter(Boolean).join(', ');
}

const statusWords: Record<MailedEvent['status'], string> = {
  confirmed: 'Confirmed',
  tentative: 'Not confirmed yet',
  cancelled: 'Canceled',
};

/** The differences an update lists to its reader; empty if only the guests changed. */
export function changesBetween(before: MailedEvent, after: MailedEvent): Change[] {
  const compared: [label: string, of: (event: MailedEvent) => string][] = [
    ['Title', ({ title }) => oneLine(title)],
    ['When', (event) => whenLabel(spanOf(event))],
    ['Repeats', ({ series }) => recurrenceLabel(series)],
    ['Where', ({ location }) => oneLine(location)],
    ['Meeting', ({ meeting }) => meetingWords(meeting)],
    ['Meeting password', ({ meeting }) => oneLine(meeting?.password ?? null)],
    ['Status', ({ status }) => statusWords[status]],
  ];
  return compared
    .map(([label, of]) => ({ label, before: of(before), after: of(after) }))
    .filter((change) => change.before !== change.after);
}
