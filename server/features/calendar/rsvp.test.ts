import { describe, expect, test } from 'vitest';
import { prisma } from '@/server/platform/db/prisma';
import { changeTestEvent, createTestEvent } from '@/server/testing/calendar';
import { withFreshDatabase } from '@/server/testing/database';
import { createTestIdentity } from '@/server/testing/identity';
import { getEvent } from './event.service';
import type { Answer } from './invitee.schema';
import { respond } from './rsvp.service';

withFreshDatabase();

let created = 0;

async function createGuest() {
  const address = `guest@rsvp${++created}.example`;
  return { ...(await createTestIdentity({ address })), address };
}

describe('answering over the API', () => {
  test('acts for the identity’s address, else for its owner’s', async () => {
    const host = await createTestIdentity();
    const guest = await createGuest();
    const say = (eventId: string, response: Answer) => respond(guest.apiKeyActor, { eventId, response });
    const both = await createTestEvent(host.actor, { invitees: [{ email: guest.owner.email }, { email: guest.address }] });
    await say(both.id, 'accepted');
    const owner = await createTestEvent(host.actor, { invitees: [{ email: guest.owner.email }] });
    await say(owner.id, 'declined');
    const responses = async (id: string) =>
      (await getEvent(host.actor, id)).event.invitees.map(({ responseStatus }) => responseStatus);
    expect(await responses(both.id)).toEqual(['needs_action', 'accepted']);
    expect(await responses(owner.id)).toEqual(['declined']);
  });

  test('does not act for an owner’s address that no one has proven', async () => {
    const host = await createTestIdentity();
    const guest = await createTestIdentity();
    const { id: eventId } = await createTestEvent(host.actor, { invitees: [{ email: guest.owner.email }] });
    const answer = () => respond(guest.apiKeyActor, { eventId, response: 'accepted' });
    await prisma().user.update({ where: { id: guest.owner.userId }, data: { emailVerifiedAt: null } });
    await expect(answer()).rejects.toMatchObject({ code: 'not_found', message: 'Event not found' });
    expect((await getEvent(host.actor, eventId)).event.invitees[0]?.responseStatus).toBe('needs_action');
    await prisma().user.update({ where: { id: guest.owner.userId }, data: { emailVerifiedAt: new Date() } });
    expect(await answer()).toEqual({ success: true });
  });

  test('works on one’s own event where one is invited, and is refused where not', async () => {
    const host = await createGuest();
    const invited = await createTestEvent(host.actor, { invitees: [{ email: host.address }] });
    await respond(host.actor, { eventId: invited.id, response: 'tentative' });
    expect((await getEvent(host.actor, invited.id)).event.invitees[0]).toMatchObject({
      responseStatus: 'tentative',
      isOrganizer: true,
    });
    const other = await createTestEvent(host.actor, { invitees: [{ email: 'ann@quark.example' }] });
    const refusal = { code: 'invalid_request' };
    await expect(respond(host.actor, { eventId: other.id, response: 'accepted' })).rejects.toMatchObject(refusal);
    const guest = await createGuest();
    for (const eventId of [other.id, '0199f3b2-6c1e-7a40-9a3e-0c1f2d3e4f50', 'none']) {
      const notFound = { code: 'not_found', message: 'Event not found' };
      await expect(respond(guest.actor, { eventId, response: 'accepted' })).rejects.toMatchObject(notFound);
    }
  });

  test('at the same moment as changes of the event loses neither', async () => {
    const host = await createTestIdentity();
    const guests = await Promise.all(Array.from({ length: 4 }, createGuest));
    const invitees = guests.map(({ address }) => ({ email: address }));
    const { id } = await createTestEvent(host.actor, { invitees });
    await Promise.all([
      ...guests.map(({ actor }) => respond(actor, { eventId: id, response: 'accepted' })),
      changeTestEvent(host.actor, id, { title: 'Moved', invitees: [...invitees].reverse() }),
      changeTestEvent(host.actor, id, { location: 'Yard', notifyAttendeesOfChanges: true }),
    ]);
    const { event } = await getEvent(host.actor, id);
    expect(event).toMatchObject({ title: 'Moved', location: 'Yard' });
    expect(event.invitees.map(({ responseStatus }) => responseStatus)).toEqual(Array(4).fill('accepted'));
  });
});
