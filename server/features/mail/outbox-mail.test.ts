import { beforeAll, describe, expect, test } from 'vitest';
import { prisma } from '@/server/platform/db/prisma';
import { createTestEvent } from '@/server/testing/calendar';
import { withFreshDatabase } from '@/server/testing/database';
import { createTestDesk } from '@/server/testing/desk';
import { createTestIdentity, type TestIdentity } from '@/server/testing/identity';
import { queueReply } from '@/server/testing/queued-reply';
import { deleteEvent } from '../calendar/event-deletion.service';
import { removeOldMail } from '../outbox/sending.service';
import { getOutboxMail } from './outbox-mail.service';

withFreshDatabase();

let desk: Awaited<ReturnType<typeof createTestDesk>>;
let stranger: TestIdentity;

beforeAll(async () => {
  desk = await createTestDesk();
  stranger = await createTestIdentity();
});

describe('a mail to a guest', () => {
  test('has its text without the link that is the guest’s alone, and leads to its event while that is there', async () => {
    const event = await createTestEvent(desk.actor, { invitees: [{ email: 'ann@quark.example', name: 'Ann' }] });
    const stored = await prisma().outboxMail.findFirstOrThrow({ where: { topic: `event:${event.id}` } });
    expect((stored.mail as { text: string }).text).toContain('/rsvp/');
    const mail = await getOutboxMail(desk.actor, stored.id);
    expect(mail).toMatchObject({
      kind: 'invitation',
      identityId: desk.identityId,
      eventId: event.id,
      conversationId: null,
      to: [{ email: 'ann@quark.example', displayName: 'Ann' }],
      cc: [],
      deliveries: [{ email: 'ann@quark.example', status: 'pending', error: null }],
      log: [],
      calendarMethod: 'REQUEST',
      hasHtml: true,
    });
    expect(mail.text).toContain(event.title);
    expect(mail.text).toContain('(the guest’s own link)');
    expect(mail.text).not.toContain('/rsvp/');
    await deleteEvent(desk.actor, event.id);
    expect((await getOutboxMail(desk.actor, stored.id)).eventId).toBeNull();
    await expect(getOutboxMail(stranger.actor, stored.id)).rejects.toMatchObject({ code: 'not_found' });
  });
});

test('a reply keeps its text as long as its conversation does', async () => {
  const reply = { text: 'At nine.', cc: ['boss@quark.example'] };
  const { id, message, conversationId } = await queueReply(desk, desk.address, reply);
  const expected = {
    conversationId,
    messageId: message.id,
    text: expect.stringContaining('At nine.'),
    hasHtml: true,
    cc: [{ email: 'boss@quark.example', displayName: null }],
    calendarMethod: null,
  };
  expect(await getOutboxMail(desk.actor, id)).toMatchObject(expected);
  await prisma().outboxMail.update({ where: { id }, data: { state: 'sent', sentAt: new Date(0), createdAt: new Date(0) } });
  await removeOldMail();
  expect(await prisma().outboxMail.findUniqueOrThrow({ where: { id } })).toMatchObject({ mail: { text: '', html: '' } });
  expect(await getOutboxMail(desk.actor, id)).toMatchObject(expected);
});

test('recipients of a failed mail that were not reached are failed, not pending', async () => {
  const { id } = await queueReply(desk, desk.address, { cc: ['bob@quark.example'] });
  const statuses = async () => (await getOutboxMail(desk.actor, id)).deliveries.map(({ status }) => status);
  expect(await statuses()).toEqual(['pending', 'pending']);
  await prisma().outboxMail.update({ where: { id }, data: { state: 'failed', delivered: ['ann@quark.example'] } });
  expect(await statuses()).toEqual(['sent', 'failed']);
});

test('mail to the person behind an account is not shown', async () => {
  const { id } = await prisma().outboxMail.create({
    data: {
      kind: 'reset_password',
      messageIdHeader: '<secret@x.example>',
      subject: 'Reset your password',
      recipients: [desk.owner.email],
      mail: { from: { email: 'a@x.example', displayName: null }, to: [], cc: [], bcc: [], text: 'secret', html: '' },
    },
  });
  await expect(getOutboxMail(desk.actor, id)).rejects.toMatchObject({ code: 'not_found' });
});
