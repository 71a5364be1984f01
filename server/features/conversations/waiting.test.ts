import { describe, expect, test } from 'vitest';
import { transaction } from '@/server/platform/db/transaction';
import { withFreshDatabase } from '@/server/testing/database';
import { createTestDesk } from '@/server/testing/desk';
import { bounceMail, deliver, type TestMail, testMessageId } from '@/server/testing/mail';
import { cancelMessage } from './cancel.service';
import type { UpdateConversationInput } from './conversation.schema';
import { getConversation } from './conversation.service';
import { updateConversation } from './conversation-update.service';
import { recordDelivery } from './delivery.service';
import { replyInput } from './message.schema';
import { replyTo } from './reply.service';
import { deleteConversation, restoreConversation } from './trash.service';

withFreshDatabase();

const at = (day: number) => new Date(Date.UTC(2026, 0, day));
const time = (day: number) => at(day).toISOString();

/** A desk, and a conversation that began on the given day. */
async function createWaiting(day = 1, mail: TestMail = {}) {
  const desk = await createTestDesk();
  const id = testMessageId();
  const receive = async (received: number, { headers, ...rest }: TestMail = {}) =>
    deliver({ headers: { References: id, ...headers }, ...rest }, { to: desk.address, receivedAt: at(received) });
  const { headers, ...rest } = mail;
  const { conversationId } = await deliver(
    { headers: { 'Message-ID': id, ...headers }, ...rest },
    { to: desk.address, receivedAt: at(day) },
  );
  return {
    ...desk,
    conversationId,
    receive,
    since: async () => (await getConversation(desk.actor, conversationId)).waitingSince,
    change: (changes: Omit<UpdateConversationInput, 'conversationId'>) =>
      updateConversation(desk.actor, { conversationId, ...changes }),
    reply: () => replyTo(desk.actor, replyInput.parse({ conversationId, text: 'It is ready.', holdSeconds: 30 })),
  };
}

const automatic = { headers: { 'Auto-Submitted': 'auto-replied' } };

describe('the other side waits', () => {
  test('from its first message since the last reply', async () => {
    const desk = await createWaiting(1);
    await desk.receive(3);
    expect(await desk.since()).toBe(time(1));
    await desk.reply();
    expect(await desk.since()).toBeNull();
    await desk.receive(5);
    await desk.receive(6);
    expect(await desk.since()).toBe(time(5));
  });

  test('for no answer to an automatic message, or to one of our own', async () => {
    const bounced = await createWaiting(1, bounceMail(testMessageId(), 'failed'));
    expect(await bounced.since()).toBeNull();
    const desk = await createWaiting(1);
    await desk.receive(2, automatic);
    expect(await desk.since()).toBe(time(1));
    await desk.reply();
    await desk.receive(3, automatic);
    expect(await desk.since()).toBeNull();
    await desk.receive(4);
    await desk.receive(5, { headers: { From: desk.sales } });
    expect(await desk.since()).toBeNull();
  });

  test('again when the reply is cancelled, or could not be delivered', async () => {
    const desk = await createWaiting(1);
    const { id: messageId } = await desk.reply();
    await cancelMessage(desk.actor, { conversationId: desk.conversationId, messageId });
    expect(await desk.since()).toBe(time(1));
    const failed = await desk.reply();
    await transaction(desk.actor, (client) => recordDelivery(client, desk.identityId, failed.id, 'failed', new Date()));
    expect(await desk.since()).toBe(time(1));
  });

  test('no more once the conversation is completed, archived, spam or in the trash, and again after that', async () => {
    const desk = await createWaiting(1);
    for (const [done, undone] of [
      [{ status: 'completed' }, { status: 'pending' }],
      [{ isArchived: true }, { isArchived: false }],
      [{ isSpam: true }, { isSpam: false }],
    ] as const) {
      expect(await desk.change(done)).toMatchObject({ waitingSince: null });
      expect(await desk.change(undone)).toMatchObject({ waitingSince: time(1) });
    }
    const { actor, conversationId } = desk;
    await deleteConversation(actor, { conversationId, permanent: false });
    expect(await desk.since()).toBeNull();
    await restoreConversation(actor, conversationId);
    expect(await desk.since()).toBe(time(1));
    await desk.change({ snoozedUntil: new Date(Date.now() + 3_600_000).toISOString() });
    expect(await desk.since()).toBe(time(1));
  });

  test('from the next message, if what came before was done', async () => {
    const desk = await createWaiting(1);
    await desk.change({ isArchived: true });
    await desk.receive(9);
    expect(await desk.since()).toBe(time(9));
  });

  test('for nothing after an answer, whatever status it is given', async () => {
    const desk = await createWaiting(1);
    await desk.reply();
    expect(await desk.change({ status: 'processing' })).toMatchObject({ waitingSince: null });
  });

  test('since the earliest message of conversations that one message joins', async () => {
    const desk = await createWaiting(4);
    const other = testMessageId();
    await deliver({ headers: { 'Message-ID': other } }, { to: desk.address, receivedAt: at(2) });
    await desk.reply();
    const { conversationId } = await desk.receive(7, { headers: { 'In-Reply-To': other } });
    expect(await getConversation(desk.actor, conversationId)).toMatchObject({ waitingSince: time(2) });
  });
});

test('a list by wait has those that wait, the longest first, page by page', async () => {
  const desk = await createTestDesk();
  const ids: string[] = [];
  for (const day of [5, 2, 8, 3, 6]) {
    const { conversationId } = await deliver({ headers: { Subject: `${day}` } }, { to: desk.address, receivedAt: at(day) });
    ids.push(conversationId);
  }
  await updateConversation(desk.actor, { conversationId: ids[3] ?? '', status: 'completed' });
  const first = await desk.list({ sort: 'waiting', limit: 2 });
  expect(first).toMatchObject({ conversations: [{ subject: '2' }, { subject: '5', waitingSince: time(5) }], total: 4 });
  const second = await desk.list({ sort: 'waiting', limit: 2, cursor: first.nextCursor });
  expect(second).toMatchObject({ conversations: [{ subject: '6' }, { subject: '8' }], hasMore: false, nextCursor: null });
  expect(await desk.subjects({ sort: 'waiting', query: '8' })).toEqual(['8']);
});
