import type { IcsAttendee, IcsEvent } from '@/server/platform/ical/ics/calendar-event';
import { newMessageId } from '@/server/platform/mail/mail-headers';
import type { OutgoingMail } from '../outbox/outbox.schema';
import type { NewOutboxMail } from '../outbox/outbox.service';
import { type EventRow, type StoredTimes, seriesOf } from './event.record';
import type { EventSender } from './event.sender';
import type { InviteeRecord } from './invitee.schema';
import { type ComposedMail, type MailedEvent, type MailParties, oneLine } from './mail/mailed-event';
import { rsvpUrl } from './signed-link.service';

/** Converts stored events to the input of mails and calendars. */

export function mailedEvent(event: EventRow): MailedEvent {
  const { title, description, location, virtualMeeting, status } = event;
  return {
    title,
    description,
    location,
    series: seriesOf(event),
    meeting: virtualMeeting,
    status,
  };
}

function guestsOf(invitees: readonly InviteeRecord[]): IcsAttendee[] {
  return invitees.map(({ email, name, responseStatus, isOptional, isOrganizer }) => ({
    email,
    name: name || null,
    response: responseStatus,
    isOptional,
    isOrganizer,
  }));
}

export function partiesOf(
  event: EventRow,
  sender: EventSender,
  invitee: { email: string; name: string | null; id?: string },
): MailParties {
  return {
    organizerName: sender.name,
    organizerEmail: sender.email,
    businessName: sender.businessName,
    invitee: { email: invitee.email, name: invitee.name || null },
    guests: guestsOf(event.invitees),
    answerUrl: invitee.id === undefined ? null : rsvpUrl(invitee.id),
    signature: sender.signature,
  };
}

type CalendarFields =
  | 'id'
  | 'sequence'
  | 'title'
  | 'description'
  | 'location'
  | 'virtualMeeting'
  | 'status'
  | 'createdAt'
  | 'updatedAt';

/** The data of an event that calendars need. */
export type CalendarSource = StoredTimes & Pick<EventRow, CalendarFields>;

/** An event as iCalendar; its UID is its id (RFC 7986, 5.3). */
export function icsEvent(
  event: CalendarSource,
  organizer: { email: string; name: string } | null,
  invitees: InviteeRecord[],
): IcsEvent {
  return {
    uid: event.id,
    sequence: event.sequence,
    series: seriesOf(event),
    title: event.title,
    description: event.description,
    location: event.location,
    meetingUrl: event.virtualMeeting?.url ?? null,
    meetingPassword: event.virtualMeeting?.password ?? null,
    status: event.status,
    created: new Date(event.createdAt),
    modified: new Date(event.updatedAt),
    organizer,
    attendees: guestsOf(invitees),
  };
}

interface EventMail {
  kind: 'invitation' | 'event_update' | 'event_cancellation' | 'event_reminder';
  event: EventRow;
  sender: EventSender;
  to: { email: string; name: string };
  content: ComposedMail;
  calendar?: OutgoingMail['calendar'];
  expiresAt?: Date;
}

/** The outbox topic of all mails about an event. */
export const eventTopic = (eventId: string) => `event:${eventId}`;

/**
 * A mail about an event to one person. Mails about the same event form one thread: all refer to the same message id, which is
 * never sent.
 */
export function eventMail({ kind, event, sender, to, content, calendar, expiresAt }: EventMail): NewOutboxMail {
  const domain = sender.email.slice(sender.email.lastIndexOf('@') + 1);
  return {
    identityId: event.identityId,
    kind,
    messageId: null,
    messageIdHeader: newMessageId(sender.email),
    subject: content.subject,
    topic: eventTopic(event.id),
    ...(expiresAt ? { expiresAt } : {}),
    mail: {
      from: { email: sender.email, displayName: oneLine(sender.name, 200) },
      to: [{ email: to.email, displayName: oneLine(to.name, 200) || null }],
      cc: [],
      bcc: [],
      text: content.text,
      html: content.html,
      inReplyTo: null,
      references: [`<${event.id}@${domain}>`],
      ...(calendar ? { calendar } : {}),
      ...(kind === 'event_reminder' ? { isAutomatic: true } : {}),
    },
  };
}
