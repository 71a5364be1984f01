import { type APIRequestContext, expect } from '@playwright/test';
import { queuedMails } from '@/server/testing/calendar';
import type { Tenant } from './test';

/** An event, and the personal link of its invitee. */
export interface Invitation {
  eventId: string;
  /** The link as in the mail: opening it records nothing. */
  path: string;
}

const headersOf = ({ key }: Tenant) => ({ Authorization: `Bearer ${key}` });

/** Creates an event through the API, and takes the link from the invitation in the outbox. */
export async function invite(request: APIRequestContext, tenant: Tenant, fields: object = {}): Promise<Invitation> {
  const data = {
    title: 'Quarterly review',
    description: 'Bring questions.\nAgenda: https://agenda.example/q4',
    location: 'Torstraße 12, Berlin',
    startTime: '2036-11-25T09:00:00Z',
    endTime: '2036-11-25T10:00:00Z',
    timezone: 'Europe/Berlin',
    recurrence: 'weekly',
    virtualMeeting: { provider: 'zoom', url: 'https://zoom.example/j/1', password: '4711' },
    invitees: [{ email: 'ann@quark.example', name: 'Ann Quark' }],
    ...fields,
  };
  const response = await request.post('/api/v1/calendar/events', { headers: headersOf(tenant), data });
  expect(response.status()).toBe(201);
  const { event } = await response.json();
  const [mail] = await queuedMails(tenant.identityId);
  const [path = ''] = /\/rsvp\/[\w-]+/.exec(mail?.mail.text ?? '') ?? [];
  expect(path).not.toBe('');
  return { eventId: event.id, path };
}

export async function changeEvent(request: APIRequestContext, tenant: Tenant, eventId: string, data: object): Promise<void> {
  const response = await request.patch(`/api/v1/calendar/events/${eventId}`, { headers: headersOf(tenant), data });
  expect(response.status()).toBe(200);
}

/** What the owner sees of the invitee. */
export async function answerOf(request: APIRequestContext, tenant: Tenant, eventId: string): Promise<string> {
  const response = await request.get(`/api/v1/calendar/events/${eventId}`, { headers: headersOf(tenant) });
  return (await response.json()).event.invitees[0].responseStatus;
}
