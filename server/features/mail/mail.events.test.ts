import { beforeEach, expect, test } from 'vitest';
import { prisma } from '@/server/platform/db/prisma';
import { overrideEnv, parseEnv } from '@/server/platform/env';
import { withFreshDatabase } from '@/server/testing/database';
import { createTestDesk } from '@/server/testing/desk';
import { eventsOf } from '@/server/testing/events';
import { bounceMail, deliver, mailBytes, receiveBytes } from '@/server/testing/mail';
import { getConversation } from '../conversations/conversation.service';
import { replyInput } from '../conversations/message.schema';
import { replyTo } from '../conversations/reply.service';
import { setPlan } from '../identity/identity.service';
import { resendMail } from './outbox-list.service';
import { sendTestMail } from './test-mail.service';

withFreshDatabase();

beforeEach(() => overrideEnv({ PLAN_LIMITS: undefined }));

async function sentReply() {
  const desk = await createTestDesk();
  const { conversationId } = await deliver({}, { to: desk.address });
  const { id, messageIdHeader } = await replyTo(desk.actor, replyInput.parse({ conversationId, text: 'Yes' }));
  await prisma().message.updateMany({ where: { id }, data: { status: 'sent', sentAt: new Date() } });
  const where = { messageId: id };
  await prisma().outboxMail.updateMany({ where, data: { state: 'sent', sentAt: new Date(), delivered: ['ann@quark.example'] } });
  return { desk, conversationId, id, messageIdHeader };
}

test('a bounce is told of with the message that came back, and the conversation once', async () => {
  const { desk, conversationId, id, messageIdHeader } = await sentReply();
  const events = await eventsOf(desk, () => deliver(bounceMail(messageIdHeader, 'failed'), { to: desk.address, sender: '' }));
  expect(events.map(({ type }) => type)).toEqual(['message.received', 'message.bounced', 'conversation.updated']);
  expect(events[1]).toMatchObject({
    actor: { type: 'system', id: null },
    object: { id },
    data: { object: { status: 'failed' }, previousAttributes: { status: 'sent' } },
  });
  expect(events[2]?.data.object).toEqual(await getConversation(desk.actor, conversationId));
});

test('a failed message that is sent again is queued by its owner; a test mail is no message', async () => {
  const { desk, id, messageIdHeader } = await sentReply();
  await deliver(bounceMail(messageIdHeader, 'failed'), { to: desk.address, sender: '' });
  const mail = await prisma().outboxMail.findFirstOrThrow({ where: { messageId: id } });
  const events = await eventsOf(desk, () => resendMail(desk.actor, mail.id));
  // The conversation waits for its owner since the bounce came in.
  expect(events.map(({ type }) => type)).toEqual(['message.queued']);
  expect(events[0]).toMatchObject({
    actor: { type: 'user', id: desk.owner.userId },
    data: { previousAttributes: { status: 'failed' } },
  });
  expect(await eventsOf(desk, () => sendTestMail(desk.actor))).toEqual([]);
});

test('mail that finds no room writes nothing, and is told of to the others', async () => {
  const [full, roomy] = [await createTestDesk(), await createTestDesk()];
  await setPlan(full.handle, 'free');
  overrideEnv({ PLAN_LIMITS: parseEnv({ PLAN_LIMITS: JSON.stringify({ free: { storageBytes: 1 } }) }).PLAN_LIMITS });
  let told: unknown[] = [];
  const kept = await eventsOf(roomy, async () => {
    told = await eventsOf(full, () =>
      expect(receiveBytes(mailBytes(), { to: [full.address, roomy.address] })).rejects.toMatchObject({ code: 'quota_exceeded' }),
    );
  });
  expect(told).toEqual([]);
  expect(kept.map(({ type }) => type)).toEqual(['conversation.created', 'message.received']);
});
