import type { IcsAttendee, IcsEvent, IcsPerson } from './calendar-event';
import { cleanText, cleanWords, contentLine, textLine } from './content-lines';
import { type EventTimes, eventTimes } from './event-times';
import { writtenInstant } from './local-time';

/** What an event is written for: the feed tells nobody who is invited, and only a request asks for an answer. */
export type Purpose = 'REQUEST' | 'CANCEL' | 'PUBLISH';

const answers: Record<IcsAttendee['response'], string> = {
  needs_action: 'NEEDS-ACTION',
  accepted: 'ACCEPTED',
  declined: 'DECLINED',
  tentative: 'TENTATIVE',
};

/** A mailto URI (RFC 6068 2); characters beyond ASCII stay, calendars show what is written. */
function mailto(email: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the range of all of ASCII, less what may stand.
  return `mailto:${cleanWords(email).replace(/[\u0000-\u007f]/g, (character) => (/[\w.!$'*+/=@~{}|`^&-]/.test(character) ? character : encodeURIComponent(character)))}`;
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

/** Some calendars show no link but the one in the description, so it stands there as well. */
function descriptionOf({ description, meetingPassword }: IcsEvent, link: string | null): string {
  const text = cleanText(description);
  if (link === null) return text;
  const password = cleanWords(meetingPassword ?? '');
  const access = [
    text.includes(link) ? '' : `Join the meeting: ${link}`,
    password === '' || text.includes(password) ? '' : `Meeting password: ${password}`,
  ];
  return [text, access.filter((line) => line !== '').join('\n')].filter((part) => part !== '').join('\n\n');
}

/** URL is what Apple and Outlook show, X-GOOGLE-CONFERENCE what Google does, CONFERENCE what RFC 7986 5.11 made of them. */
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

/** Who is taken off the list of an event that takes place learns nothing of its status: others of the same mailbox may still go (RFC 5546 3.2.5). */
function statusLine({ status }: IcsEvent, purpose: Purpose): string {
  return purpose === 'CANCEL' && status !== 'cancelled' ? '' : contentLine('STATUS', status.toUpperCase());
}

export interface WrittenEvent {
  text: string;
  definition: EventTimes['definition'];
}

/** The VEVENT of an event (RFC 5545 3.6.1), and which time zone it stands on. */
export function eventComponent(event: IcsEvent, purpose: Purpose, stamp: Date): WrittenEvent {
  const { lines, definition } = eventTimes(event.series);
  const isCancelled = purpose === 'CANCEL' || event.status === 'cancelled';
  const link = linkOf(event.meetingUrl);
  const text = [
    'BEGIN:VEVENT\r\n',
    textLine('UID', cleanWords(event.uid)),
    contentLine('DTSTAMP', writtenInstant(stamp.getTime())),
    contentLine('SEQUENCE', String(event.sequence)),
    contentLine('CREATED', writtenInstant(event.created.getTime())),
    contentLine('LAST-MODIFIED', writtenInstant(event.modified.getTime())),
    lines,
    textLine('SUMMARY', cleanWords(event.title)),
    textLine('DESCRIPTION', descriptionOf(event, link)),
    // Where there is no room, the link is where people go; telephones offer to open it.
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
