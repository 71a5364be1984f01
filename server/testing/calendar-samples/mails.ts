import type { MailedEvent, MailParties } from '@/server/features/calendar/mail/mailed-event';
import type { IcsAttendee } from '@/server/platform/ical/ics/calendar-event';

/** A complete event and its people; names contain an apostrophe. */

export const start = Date.UTC(2026, 10, 24, 8);
const hour = 3_600_000;

export const event: MailedEvent = {
  title: 'Quarterly review with Quark Labs',
  description: 'We go through the figures.\nBring questions.\n\nAgenda: https://harbor.example/agenda?q=4&lang=en',
  location: 'Harbor Studio, Torstraße 12, Berlin',
  series: { start, end: start + hour, timezone: 'Europe/Berlin', allDay: false, frequency: 'none', until: null },
  meeting: { provider: 'zoom', url: 'https://zoom.example/j/123?pwd=x', password: '4711' },
  status: 'confirmed',
};

export function guest(email: string, other: Partial<IcsAttendee> = {}): IcsAttendee {
  return { email, name: null, response: 'needs_action', isOptional: false, isOrganizer: false, ...other };
}

export const parties: MailParties = {
  organizerName: 'Mira Okafor',
  organizerEmail: 'mira@harbor.example',
  businessName: 'Harbor Studio',
  invitee: { email: 'ann@quark.example', name: "Ann O'Neill" },
  guests: [
    guest('mira@harbor.example', { name: 'Mira Okafor', response: 'accepted', isOrganizer: true }),
    guest('ann@quark.example', { name: "Ann O'Neill" }),
    guest('ben@quark.example', { name: 'Ben Ito', response: 'accepted' }),
    guest('cy@quark.example', { isOptional: true, response: 'tentative' }),
  ],
  answerUrl: 'https://desk.example/rsvp/tok_en-1',
  signature: 'Mira Okafor\nClient care, Harbor Studio',
};
