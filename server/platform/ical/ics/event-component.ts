import type { IcsAttendee, IcsEvent, IcsPerson } from './calendar-event';
import { cleanLine, cleanText, contentLine, textLine } from './content-lines';
import { type EventTimes, eventTimes } from './event-times';
import { writtenInstant } from './local-time';

/** What an event is written for: the feed omits attendees, and only a request asks for a reply. */
export type Purpose = 'REQUEST' | 'CANCEL' | 'PUBLISH';

const answers: Record<IcsAttendee['response'], string> = {
  needs_action: 'NEEDS-ACTION',
  accepted: 'ACCEPTED',
  declined: 'DECLINED',
  tentative: 'TENTATIVE',
};

/** A mailto URI (RFC 6068 2). Non-ASCII characters are kept, since calendars show the URI unchanged. */
function mailto(email: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII except the allowed characters
  return `mailto:${cleanLine(email).replace(/[\u0000-\u007f]/g, (character) => (/[\w.!$'*+/=@~{}|`^&-]/.test(character) ? character : encodeURIComponent(character)))}`;
}

function nameOf({ name }: IcsPerson): Record<string, string> {
  const words = cleanText(name ?? '');
  return words === '' ? {} : { CN: words };
}

function attendeeLine(attendee: IcsAttendee, purpose: Purpose): string {
  const { isOrganizer, isOptional, response } = attendee;
  return contentLine('ATTENDEE', mailto(attendee.email), {
    ...nameOf(attendee),
    CUTYPE: 'INDIVIDUAL',
    ROLE: isOrganizer ? 'CHAIR' : isOptional ? 'OPT-PARTICIPANT' : 'REQ-PARTICIPANT',
    PARTSTAT: isOrganizer ? 'ACCEPTED' : answers[response],
    ...(isOrganizer || purpose !== 'REQUEST' ? {} : { RSVP: 'TRUE' }),
  });
}

function peopleLines({ organizer, attendees }: IcsEvent, purpose: Purpose): string {
  if (purpose === 'PUBLISH') return '';
  const hostLine = organizer === null ? '' : contentLine('ORGANIZER', mailto(organizer.email), nameOf(organizer));
  return hostLine + attendees.map((attendee) => attendeeLine(attendee, purpose)).join('');
}

function linkOf(meetingUrl: string | null): string | null {
  if (meetingUrl === null || !URL.canParse(meetingUrl)) return null;
  const url = new URL(meetingUrl);
  return url.protocol === 'https:' || url.protocol === 'http:' ? url.href : null;
}

/** Some calendars only show links in the description, so it is repeated there. */
function descriptionOf({ description, meetingPassword }: IcsEvent, link: string | null): string {
  const text = cleanText(description);
  if (link === null) return text;
  const password = cleanLine(meetingPassword ?? '');
  const access = [
    text.includes(link) ? '' : `Join the meeting: ${link}`,
    password === '' || text.includes(password) ? '' : `Meeting password: ${password}`,
  ];
  return [text, access.filter((line) => line !== '').join('\n')].filter((part) => part !== '').join('\n\n');
}

/** Apple and Outlook show URL, Google X-GOOGLE-CONFERENCE; CONFERENCE is the standard of RFC 7986 5.11. */
function meetingLines(link: string | null): string {
  if (link === null) return '';
  return (
    contentLine('URL', link) +
    contentLine('CONFERENCE', link, { VALUE: 'URI', FEATURE: ['AUDIO', 'VIDEO'], LABEL: 'Join the meeting' }) +
    contentLine('X-GOOGLE-CONFERENCE', link)
  );
}

/** Without these Outlook shows whole days as appointments from midnight to midnight, and a tentative event as a fixed one. */
function outlookLines(isAllDay: boolean, isCancelled: boolean, isTentative: boolean): string {
  const busy = isCancelled ? 'FREE' : isTentative ? 'TENTATIVE' : 'BUSY';
  return (
    contentLine('X-MICROSOFT-CDO-ALLDAYEVENT', isAllDay ? 'TRUE' : 'FALSE') +
    contentLine('X-MICROSOFT-CDO-BUSYSTATUS', busy) +
    contentLine('X-MICROSOFT-CDO-INTENDEDSTATUS', busy)
  );
}

/**
 * A removed attendee of an event that still takes place gets no status: others of the same mailbox may still attend (RFC 5546
 * 3.2.5).
 */
function statusLine({ status }: IcsEvent, purpose: Purpose): string {
  return purpose === 'CANCEL' && status !== 'cancelled' ? '' : contentLine('STATUS', status.toUpperCase());
}

export interface WrittenEvent {
  text: string;
  definition: EventTimes['definition'];
}

/** The VEVENT of an event (RFC 5545 3.6.1), and the time zone it uses. */
export function eventComponent(event: IcsEvent, purpose: Purpose, stamp: Date): WrittenEvent {
  const { lines, definition } = eventTimes(event.series);
  const isCancelled = purpose === 'CANCEL' || event.status === 'cancelled';
  const link = linkOf(event.meetingUrl);
  const text = [
    'BEGIN:VEVENT\r\n',
    textLine('UID', cleanLine(event.uid)),
    contentLine('DTSTAMP', writtenInstant(stamp.getTime())),
    contentLine('SEQUENCE', String(event.sequence)),
    contentLine('CREATED', writtenInstant(event.created.getTime())),
    contentLine('LAST-MODIFIED', writtenInstant(event.modified.getTime())),
    lines,
    textLine('SUMMARY', cleanLine(event.title)),
    textLine('DESCRIPTION', descriptionOf(event, link)),
    // Without a room, the link is the location; telephones can open it.
    textLine('LOCATION', cleanText(event.location) || (link ?? '')),
    meetingLines(link),
    statusLine(event, purpose),
    contentLine('TRANSP', isCancelled ? 'TRANSPARENT' : 'OPAQUE'),
    peopleLines(event, purpose),
    outlookLines(event.series.allDay, isCancelled, event.status === 'tentative'),
    'END:VEVENT\r\n',
  ].join('');
  return { text, definition };
}
