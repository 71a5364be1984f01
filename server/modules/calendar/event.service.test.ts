import { describe, expect, test } from 'vitest';
import { changeTestEvent, createTestEvent, listTestEvents, queuedMails } from '@/server/testing/calendar';
import { withFreshDatabase } from '@/server/testing/database';
import { createTestIdentity } from '@/server/testing/identity';
import { availabilityInput } from './calendar.schema';
import { getAvailability } from './availability.service';
import { deleteEvent, getEvent } from './event.service';

withFreshDatabase();

describe('creating', () => {
  test('an event has the defaults of the specification', async () => {
    const { actor, identityId } = await createTestIdentity();
    const event = await createTestEvent(actor, { startTime: '2026-11-24T10:00:00+01:00', endTime: '2026-11-24T11:00:00+01:00' });
    expect(event).toEqual({
      id: event.id,
      identityId,
      title: 'Meeting',
      description: '',
      startTime: '2026-11-24T09:00:00.000Z',
      endTime: '2026-11-24T10:00:00.000Z',
      timezone: 'UTC',
      allDay: false,
      location: '',
      virtualMeeting: null,
      color: 'blue',
      recurrence: 'none',
      recurrenceEndDate: null,
      status: 'confirmed',
      sendEmailReminders: true,
      agentId: null,
      reminders: [],
      invitees: [],
      agent: null,
      revision: 1,
      createdAt: event.createdAt,
      updatedAt: event.updatedAt,
    });
    expect((await getEvent(actor, event.id)).event).toEqual(event);
  });

  test('invitees get an invitation each', async () => {
    const { actor, identityId } = await createTestIdentity({ address: 'desk@inv.example' });
    const event = await createTestEvent(actor, {
      invitees: [{ email: 'Ann@quark.example', name: 'Ann' }, { email: 'desk@inv.example' }],
      reminders: [{ type: 'email', value: 10, unit: 'minutes' }],
    });
    expect(event.invitees.map(({ email, isOrganizer, responseStatus }) => [email, isOrganizer, responseStatus])).toEqual([
      ['ann@quark.example', false, 'needs_action'],
      ['desk@inv.example', true, 'accepted'],
    ]);
    const mails = await queuedMails(identityId);
    expect(mails.map(({ kind, recipients }) => [kind, recipients])).toEqual([['invitation', ['ann@quark.example']]]);
    await changeTestEvent(actor, event.id, { startTime: '2026-11-24T08:00:00Z', notifyAttendeesOfChanges: true });
    expect((await queuedMails(identityId)).map(({ kind }) => kind)).toEqual(['invitation', 'event_update']);
    console.log(mails[0]?.mail.text, mails[0]?.mail.calendar?.content);
  });
});

test('lists and availability', async () => {
  const { actor } = await createTestIdentity();
  await createTestEvent(actor);
  await createTestEvent(actor, { recurrence: 'daily', title: 'Daily', startTime: '1970-01-01T12:00:00Z', endTime: '1970-01-01T12:30:00Z', timezone: 'Europe/Berlin' });
  console.log(await listTestEvents(actor));
  console.log(await listTestEvents(actor, { startDate: '2026-11-24', endDate: '2026-11-26', expand: true, includeInvitees: true }));
  console.log(await listTestEvents(actor, { startDate: '2026-11-24', endDate: '2026-11-26' }));
  console.log(await getAvailability(actor, availabilityInput.parse({ startTime: '2026-11-24T09:30:00Z', endTime: '2026-11-24T12:30:00Z' })));
  const event = await createTestEvent(actor);
  await deleteEvent(actor, event.id);
});
