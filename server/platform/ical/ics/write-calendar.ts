import type { IcsAttendee, IcsEvent } from './calendar-event';
import { cleanLine, cleanText, contentLine, textLine } from './content-lines';
import { eventComponent, type Purpose } from './event-component';
import { timezoneDefinition } from './timezone-definition';

const product = '-//Frontdesk//Calendar//EN';

/** How often the feed may be fetched; more frequent polling gains nothing. */
const refreshInterval = 'PT1H';

/**
 * The calendar object with events. Each time zone is defined once, from the earliest event that needs it (RFC 5545 3.4, 3.6.5).
 */
function calendar(head: string, events: Iterable<IcsEvent>, purpose: Purpose, stamp: Date): string {
  const zones = new Map<string, number>();
  const components: string[] = [];
  for (const event of events) {
    const { text, definition } = eventComponent(event, purpose, stamp);
    components.push(text);
    if (definition !== null) zones.set(definition.zone, Math.min(definition.year, zones.get(definition.zone) ?? definition.year));
  }
  const definitions = [...zones].map(([zone, year]) => timezoneDefinition(zone, year));
  return [
    'BEGIN:VCALENDAR\r\n',
    contentLine('PRODID', product),
    contentLine('VERSION', '2.0'),
    contentLine('CALSCALE', 'GREGORIAN'),
    head,
    ...definitions,
    ...components,
    'END:VCALENDAR\r\n',
  ].join('');
}

export interface Invitation {
  /** REQUEST invites or updates; CANCEL cancels the whole event, or the invitation of `attendees`. */
  method: 'REQUEST' | 'CANCEL';
  /** Includes the `sequence` for the recipients; the caller increments it. */
  event: IcsEvent;
  /** When this message was made (DTSTAMP): of two with the same sequence, the later wins (RFC 5546 2.1.5). */
  stamp: Date;
  /** The attendees concerned, if not all. A removed attendee is notified and sees no other attendees. */
  attendees?: IcsAttendee[];
}

/** The iTIP object of an invitation mail's `text/calendar` part (RFC 5546 3.2.2, 3.2.5; RFC 6047 2.4), UTF-8 with CRLF. */
export function writeInvitation({ method, event, stamp, attendees }: Invitation): string {
  const host = event.organizer ?? event.attendees.find(({ isOrganizer }) => isOrganizer) ?? null;
  const concerned = { ...event, organizer: host, attendees: attendees ?? event.attendees };
  return calendar(contentLine('METHOD', method), [concerned], method, stamp);
}

export interface Feed {
  name: string;
  description?: string;
  /** In any order; including cancelled ones, so that calendars remove them. */
  events: Iterable<IcsEvent>;
  /** DTSTAMP of all events; the time of the latest change keeps an unchanged feed identical byte for byte. */
  stamp: Date;
}

/**
 * A calendar for subscription (RFC 7986 5): titles and times, without addresses. It has no METHOD: a published iTIP object (RFC
 * 5546 3.2.1) must name its ORGANIZER, and strict readers refuse one that does not.
 */
export function writeFeed({ name, description = '', events, stamp }: Feed): string {
  const words = cleanLine(name);
  const about = cleanText(description);
  const head = [
    textLine('NAME', words),
    textLine('X-WR-CALNAME', words),
    textLine('DESCRIPTION', about),
    textLine('X-WR-CALDESC', about),
    contentLine('REFRESH-INTERVAL', refreshInterval, { VALUE: 'DURATION' }),
    contentLine('X-PUBLISHED-TTL', refreshInterval),
  ];
  return calendar(head.join(''), events, 'PUBLISH', stamp);
}

/** One event as a file: without METHOD, which makes some calendars ask for a reply, and without addresses. */
export function writeSingle(event: IcsEvent, stamp: Date): string {
  return calendar('', [event], 'PUBLISH', stamp);
}
