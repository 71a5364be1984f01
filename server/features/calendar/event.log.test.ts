import { describe, expect, test } from 'vitest';
import type { EventRecord as LoggedEvent } from '@/server/features/events/event.schema';
import { changeTestEvent, createTestEvent } from '@/server/testing/calendar';
import { withFreshDatabase } from '@/server/testing/database';
import { committedEvents } from '@/server/testing/events';
import { createTestIdentity, type TestIdentity } from '@/server/testing/identity';
import { inviteByMail } from '@/server/testing/invitations';
import { withHttpServer } from '@/server/testing/rest';
import { getEvent } from './event.service';
import { deleteEvent } from './event-deletion.service';
import { sendReminders } from './reminder.service';
import { answerInvitation, respond } from './rsvp.service';

withFreshDatabase({ PUBLIC_URL: 'https://desk.example.com' });
const call = withHttpServer();

const ann = 'ann@quark.example';
const meeting = { provider: 'zoom' as const, url: 'https://zoom.example/j/1', password: 'sesame-4711' };

const eventAt = async ({ key }: TestIdentity, id: string) => {
  const { body } = await call('GET', `/api/v1/calendar/events/${id}`, { key });
  return (body as { event: Record<string, unknown> }).event;
};

const typesOf = async (identity: TestIdentity) => (await committedEvents(identity)).map(({ type }) => type);
const lastOf = async (identity: TestIdentity) => (await committedEvents(identity)).at(-1);

const keysOf = (event?: LoggedEvent) => Object.keys((event && 'object' in event.data && event.data.object) || {});

describe('each change of an event', () => {
  test('is logged with the event as GET answers it, and what was before', async () => {
    const identity = await createTestIdentity();
    const { actor, apiKeyActor } = identity;
    const { id } = await createTestEvent(actor, {
      invitees: [{ email: ann }],
      reminders: [{ type: 'email', value: 5, unit: 'minutes' }],
    });
    const states = [await eventAt(identity, id)];
    const times = { startTime: '2026-11-25T09:00:00Z', endTime: '2026-11-25T10:00:00Z' };
    for (const changes of [
      { title: 'Another' },
      { ...times, notifyAttendeesOfChanges: true },
      { invitees: [{ email: 'bob@quark.example' }] },
      { status: 'cancelled' as const, location: 'Nowhere' },
      { status: 'confirmed' as const },
    ]) {
      await changeTestEvent(apiKeyActor, id, changes);
      states.push(await eventAt(identity, id));
    }
    await deleteEvent(actor, id);
    const events = await committedEvents(identity);
    expect(events.map(({ type, object }) => [type, object])).toEqual(
      [
        'event.created',
        'event.updated',
        'event.updated',
        'event.updated',
        'event.cancelled',
        'event.updated',
        'event.deleted',
      ].map((type, index) => [`calendar.${type}`, { type: 'calendar.event', id, version: index + 1 }]),
    );
    expect(events[0]?.data).toEqual({ object: states[0] });
    expect(events[6]?.data).toEqual({ object: states[5] });
    for (const index of [1, 2, 3, 4, 5]) {
      const [before, after] = [states[index - 1] ?? {}, states[index] ?? {}];
      const changed = Object.entries(before).filter(([name, value]) => JSON.stringify(after[name]) !== JSON.stringify(value));
      expect(events[index]?.data).toEqual({ object: after, previousAttributes: Object.fromEntries(changed) });
      expect(events[index]?.actor).toMatchObject({ type: 'api_key', id: apiKeyActor.apiKeyId });
    }
    expect(JSON.stringify(Object.keys(states[0] ?? {}))).toBe(JSON.stringify(keysOf(events[0])));
    expect(events[4]?.data).toMatchObject({ previousAttributes: { status: 'confirmed', location: '' } });
  });

  test('is none where nothing changes, where a reminder is sent, and where it is refused', async () => {
    const identity = await createTestIdentity();
    const { actor } = identity;
    const reminders = [{ type: 'email' as const, value: 5, unit: 'minutes' as const }];
    const { id, title } = await createTestEvent(actor, { invitees: [{ email: ann }], reminders });
    await changeTestEvent(actor, id, { title, notifyAttendeesOfChanges: true });
    await changeTestEvent(actor, id, {});
    await sendReminders(identity.identityId, id, Date.parse('2026-11-24T08:56:00Z'));
    await expect(changeTestEvent(actor, id, { title: 'x', ifRevision: 1 })).rejects.toMatchObject({ code: 'edited_elsewhere' });
    await expect(changeTestEvent(actor, id, { title: 'x', agentId: crypto.randomUUID() })).rejects.toThrow('Agent not found');
    await expect(deleteEvent(actor, crypto.randomUUID())).rejects.toThrow('Event not found');
    expect(await typesOf(identity)).toEqual(['calendar.event.created']);
  });

  test('never shows the password of the meeting, and is one also where nothing else changes', async () => {
    const identity = await createTestIdentity();
    const { actor } = identity;
    const masked = { ...meeting, password: '•••' };
    const { id, virtualMeeting } = await createTestEvent(actor, { virtualMeeting: meeting });
    expect(virtualMeeting).toEqual(meeting);
    await changeTestEvent(actor, id, { virtualMeeting: { ...meeting, password: 'sesame-4712' } });
    await changeTestEvent(actor, id, { virtualMeeting: null });
    await changeTestEvent(actor, id, { virtualMeeting: { ...meeting, password: undefined } });
    await deleteEvent(actor, id);
    const events = await committedEvents(identity);
    expect(events.map(({ data }) => data)).toMatchObject([
      { object: { virtualMeeting: masked } },
      { object: { virtualMeeting: masked }, previousAttributes: { virtualMeeting: masked } },
      { object: { virtualMeeting: null }, previousAttributes: { virtualMeeting: masked } },
      {
        object: { virtualMeeting: { provider: meeting.provider, url: meeting.url } },
        previousAttributes: { virtualMeeting: null },
      },
      {},
    ]);
    expect(JSON.stringify(events)).not.toContain('sesame');
  });
});

describe('an answer', () => {
  test('by the personal link is the guest’s', async () => {
    const identity = await createTestIdentity();
    const { eventId, path } = await inviteByMail(identity.actor);
    const before = await eventAt(identity, eventId);
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    expect((await call('POST', path, { body: 'answer=declined', headers: form })).status).toBe(303);
    const event = await lastOf(identity);
    expect(event).toMatchObject({
      type: 'calendar.invitee.responded',
      object: { type: 'calendar.event', id: eventId, version: 2 },
      actor: { type: 'guest', id: null, name: ann },
      requestId: null,
    });
    const after = await eventAt(identity, eventId);
    expect(after).toMatchObject({ invitees: [{ responseStatus: 'declined', answeredBy: 'link', answerVerified: true }] });
    expect(event?.data).toEqual({ object: after, previousAttributes: { invitees: before.invitees } });
  });

  test('that is not recorded is none: of a cancelled event, of one that is gone, and of somebody taken off', async () => {
    const identity = await createTestIdentity();
    const { actor } = identity;
    const { eventId, path } = await inviteByMail(actor);
    const token = path.slice('/rsvp/'.length);
    await changeTestEvent(actor, eventId, { status: 'cancelled' });
    expect(await answerInvitation(token, 'accepted')).toBe(false);
    await changeTestEvent(actor, eventId, { status: 'confirmed', invitees: [] });
    expect(await answerInvitation(token, 'accepted')).toBe(false);
    await deleteEvent(actor, eventId);
    expect(await answerInvitation(token, 'accepted')).toBe(false);
    expect((await typesOf(identity)).filter((type) => type.endsWith('responded'))).toEqual([]);
  });

  test('of another identity is in the organiser’s log alone, and says of them only what the organiser knows', async () => {
    const host = await createTestIdentity();
    const guest = await createTestIdentity({ address: 'guest@log.example', displayName: 'Secretive GmbH' });
    const { id } = await createTestEvent(host.actor, { invitees: [{ email: 'guest@log.example' }], virtualMeeting: meeting });
    const answer = await call('POST', `/api/v1/calendar/events/${id}/rsvp`, { key: guest.key, json: { response: 'accepted' } });
    expect(answer.status).toBe(200);
    await respond(guest.actor, { eventId: id, response: 'tentative' });
    const events = (await committedEvents(host)).slice(1);
    expect(events).toMatchObject(
      Array(2).fill({
        type: 'calendar.invitee.responded',
        actor: { type: 'guest', id: null, name: 'guest@log.example' },
        requestId: null,
      }),
    );
    const text = JSON.stringify(events);
    const { identityId, apiKeyActor, owner, handle } = guest;
    for (const theirs of [identityId, apiKeyActor.apiKeyId, owner.userId, owner.email, handle, 'Secretive', 'sesame']) {
      expect(text).not.toContain(theirs);
    }
    expect(await committedEvents(guest)).toEqual([]);
  });

  test('of the organiser is their own', async () => {
    const host = await createTestIdentity({ address: 'host@log.example' });
    const { id } = await createTestEvent(host.actor, { invitees: [{ email: 'host@log.example' }] });
    const { status, headers } = await call('POST', `/api/v1/calendar/events/${id}/rsvp`, {
      key: host.key,
      json: { response: 'tentative' },
    });
    expect(status).toBe(200);
    expect(await lastOf(host)).toMatchObject({
      type: 'calendar.invitee.responded',
      actor: { type: 'api_key', id: host.apiKeyActor.apiKeyId },
      requestId: headers['x-request-id'],
    });
  });

  test('at the same moment as others is logged after or before them, without a gap', async () => {
    const host = await createTestIdentity();
    const guests = await Promise.all(
      Array.from({ length: 6 }, (_each, index) => createTestIdentity({ address: `guest${index}@same.example` })),
    );
    const invitees = guests.map((_guest, index) => ({ email: `guest${index}@same.example` }));
    const { id } = await createTestEvent(host.actor, { invitees });
    await Promise.all([
      ...guests.map(({ actor }) => respond(actor, { eventId: id, response: 'accepted' })),
      changeTestEvent(host.actor, id, { title: 'Meanwhile' }),
    ]);
    const events = await committedEvents(host);
    expect(events.map(({ object }) => object.version)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    // Each has what those before it have answered, so none was built from what it could not see.
    const accepted = events.map(({ data }) => JSON.stringify('object' in data && data.object).split('"accepted"').length - 1);
    expect(accepted).toEqual(accepted.toSorted((one, other) => one - other));
    expect(events.at(-1)?.data).toMatchObject({ object: (await getEvent(host.actor, id)).event });
  });
});
