import { describe, expect, test } from 'vitest';
import { pool } from '@/server/platform/db/pool';
import { withFreshDatabase } from '@/server/testing/database';
import { createTestDesk } from '@/server/testing/desk';
import { createTestIdentity } from '@/server/testing/identity';
import { deliver, testMessageId } from '@/server/testing/mail';
import { blockedSendersMaximum } from './blocked-sender.limits';
import { blockSenderInput } from './blocked-sender.schema';
import { blockSender, listBlockedSenders, unblockSender } from './blocked-sender.service';
import { getConversation } from './conversation.service';
import { updateConversation } from './conversation-update.service';
import { replyInput } from './message.schema';
import { replyTo } from './reply.service';

withFreshDatabase();

type Actor = Parameters<typeof blockSender>[0];

const block = (actor: Actor, sender: string) => blockSender(actor, blockSenderInput.parse({ sender }));
const problemOf = (work: Promise<unknown>) => work.catch(({ code, details }) => details?.fields ?? code);
const from = (email: string) => ({ headers: { From: `Offers <${email}>` } });

describe('what a blocked sender sends', () => {
  test('is spam, and does not count as unread', async () => {
    const desk = await createTestDesk();
    await block(desk.actor, 'Offers@Shop.example');
    const { conversationId } = await deliver(from('offers@SHOP.example'), { to: desk.address });
    expect(await getConversation(desk.actor, conversationId)).toMatchObject({ isSpam: true, isRead: true, waitingSince: null });
    expect(await desk.subjects()).toEqual([]);
    await deliver(from('service@shop.example'), { to: desk.address });
    expect(await desk.subjects()).toHaveLength(1);
  });

  test('is that of all addresses of a blocked domain, not of one that ends with it', async () => {
    const desk = await createTestDesk();
    await block(desk.actor, 'shop.example');
    for (const email of ['a@shop.example', 'b@shop.example', 'c@myshop.example', 'd@news.shop.example']) {
      await deliver({ headers: { ...from(email).headers, Subject: email } }, { to: desk.address });
    }
    expect(await desk.subjects()).toEqual(['d@news.shop.example', 'c@myshop.example']);
  });

  test('leaves a conversation where and as it is', async () => {
    const desk = await createTestDesk();
    const id = testMessageId();
    const { conversationId } = await deliver(
      { headers: { 'Message-ID': id, ...from('offers@shop.example').headers } },
      { to: desk.address },
    );
    const sendAt = new Date(Date.now() + 3_600_000).toISOString();
    const { id: replyId } = await replyTo(desk.actor, replyInput.parse({ conversationId, text: 'Later', sendAt }));
    await updateConversation(desk.actor, { conversationId, isArchived: true, status: 'completed' });
    const before = await getConversation(desk.actor, conversationId);
    await block(desk.actor, 'offers@shop.example');
    await deliver({ headers: { References: id, ...from('offers@shop.example').headers } }, { to: desk.address });
    const after = await getConversation(desk.actor, conversationId);
    const { isArchived, isRead, isSpam, status } = before;
    expect(after).toMatchObject({ isArchived, isRead, isSpam, status, messageCount: before.messageCount + 1 });
    // A reply that waits for an answer is not cancelled by what is not read.
    const { rowCount } = await pool().query('SELECT 1 FROM messages WHERE identity_id = $1 AND id = $2', [
      desk.identityId,
      replyId,
    ]);
    expect(rowCount).toBe(1);
  });

  test('is welcome again once it is unblocked', async () => {
    const desk = await createTestDesk();
    const { blockedSender } = await block(desk.actor, 'offers@shop.example');
    await unblockSender(desk.actor, blockedSender.id);
    await deliver(from('offers@shop.example'), { to: desk.address });
    expect(await desk.subjects()).toHaveLength(1);
    expect(await problemOf(unblockSender(desk.actor, blockedSender.id))).toBe('not_found');
  });

  test('is not blocked for other businesses', async () => {
    const [desk, other] = [await createTestDesk(), await createTestDesk()];
    await block(desk.actor, 'offers@shop.example');
    await deliver(from('offers@shop.example'), { to: other.address });
    expect(await other.subjects()).toHaveLength(1);
    expect(await listBlockedSenders(other.actor)).toEqual({ blockedSenders: [], total: 0 });
  });
});

describe('a sender', () => {
  test('is blocked once, by however many at the same time', async () => {
    const { actor } = await createTestIdentity();
    const answers = await Promise.all(['a@b.example', 'A@B.example', ' a@b.example '].map((sender) => block(actor, sender)));
    expect(answers.map(({ isKnown }) => isKnown).sort()).toEqual([false, true, true]);
    expect(await listBlockedSenders(actor)).toMatchObject({ blockedSenders: [{ sender: 'a@b.example' }], total: 1 });
  });

  test('is not an address of the business', async () => {
    const desk = await createTestDesk();
    expect(await problemOf(block(desk.actor, desk.sales))).toEqual({ sender: 'is an address of this business' });
  });

  test.each(['', 'shop', '@shop.example', 'a b@shop.example', 'shop..example', '.example', 'http://shop.example', '*.example'])(
    'is not %j',
    (sender) => {
      expect(blockSenderInput.safeParse({ sender }).success).toBe(false);
    },
  );

  test('is one too many at the limit', async () => {
    const { actor, identityId } = await createTestIdentity();
    await pool().query(
      `INSERT INTO blocked_senders (identity_id, id, sender)
        SELECT $1, gen_random_uuid(), n || '@shop.example' FROM generate_series(1, $2::int) AS n`,
      [identityId, blockedSendersMaximum],
    );
    expect(await problemOf(block(actor, 'offers@shop.example'))).toBe('conflict');
    expect(await block(actor, '7@shop.example')).toMatchObject({ isKnown: true });
  });
});
