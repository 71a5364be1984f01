import { randomBytes } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { removeWhitelistedAddress } from '@/server/features/addresses/further-address.service';
import { getIdentity } from '@/server/features/identity/identity.service';
import { trackInput } from '@/server/features/usage/usage.schema';
import { trackUsage } from '@/server/features/usage/usage.service';
import { withFreshDatabase } from '@/server/testing/database';
import { createFilledDesk, createTestDesk } from '@/server/testing/desk';
import { createTestIdentity, type TestIdentity } from '@/server/testing/identity';
import { deliver, testMessageId } from '@/server/testing/mail';
import { listConversationsInput, updateConversationInput } from './conversation.schema';
import { getConversation, getThread, listConversations, listMessages } from './conversation.service';
import { updateConversation } from './conversation-update.service';
import { getLiveCounts } from './live-counts.service';
import { listMessagesInput, replyInput } from './message.schema';

withFreshDatabase();

const nowhere = '0199f3b2-6c1e-7a40-9a3e-0c1f2d3e4f50';

let stranger: TestIdentity;

beforeAll(async () => {
  stranger = await createTestIdentity();
});

describe('a change', () => {
  test('of read marks messages too; what came in after one looked stays unread', async () => {
    const desk = await createTestDesk();
    const id = testMessageId();
    const { conversationId } = await deliver(
      { headers: { 'Message-ID': id } },
      { to: desk.address, receivedAt: new Date('2026-01-01T10:00:00Z') },
    );
    const seenUntil = '2026-01-01T10:00:00.000Z';
    await deliver({ headers: { 'In-Reply-To': id } }, { to: desk.address, receivedAt: new Date('2026-01-01T11:00:00Z') });
    const read = async () =>
      (await listMessages(desk.actor, listMessagesInput.parse({ conversationId }))).messages.map(({ isRead }) => isRead);
    expect(await updateConversation(desk.actor, { conversationId, isRead: true, seenUntil })).toMatchObject({ isRead: false });
    expect(await read()).toEqual([true, false]);
    expect(await updateConversation(desk.actor, { conversationId, isRead: true })).toMatchObject({ isRead: true });
    expect(await read()).toEqual([true, true]);
    expect(await updateConversation(desk.actor, { conversationId, isRead: false })).toMatchObject({ isRead: false });
    expect(await read()).toEqual([true, false]);
  });

  test('of nothing changes nothing', async () => {
    const { actor, ids } = await createFilledDesk();
    const before = await getConversation(actor, ids[0] ?? '');
    expect(await updateConversation(actor, { conversationId: before.id })).toEqual(before);
  });

  test('is seen by the pulse', async () => {
    const { actor, ids } = await createFilledDesk();
    const before = await getLiveCounts(actor);
    expect(before).toMatchObject({ unread: 1, inbox: 2, archived: 1, spam: 1, failedMails: 0, quarantined: 0 });
    await updateConversation(actor, { conversationId: ids[0] ?? '', isRead: true });
    const after = await getLiveCounts(actor);
    expect(after.unread).toBe(0);
    expect(after.version).not.toBe(before.version);
    expect((await getLiveCounts(actor)).version).toBe(after.version);
    expect(await getLiveCounts(stranger.actor)).toMatchObject({ version: '0', unread: 0, inbox: 0 });
  });
});

test.each(['0000-01-01T00:00:00Z', '9999-12-31T23:59:59-23:59', '2026-01-01', 'now'])(
  'a change can’t be seen until %s',
  (seenUntil) => {
    const input = { conversationId: nowhere, isRead: true, seenUntil };
    expect(updateConversationInput.safeParse(input).success).toBe(false);
    expect(replyInput.safeParse({ conversationId: nowhere, text: 'x', seenUntil }).success).toBe(false);
  },
);

test('a time far from Greenwich is one that the database takes', async () => {
  const desk = await createTestDesk();
  const { conversationId } = await deliver({}, { to: desk.address });
  const input = updateConversationInput.parse({ conversationId, isRead: true, seenUntil: '2999-01-01T10:00:00+23:00' });
  expect(await updateConversation(desk.actor, input)).toMatchObject({ isRead: true });
});

test('a conversation read while it becomes part of another one is never empty', async () => {
  const desk = await createTestDesk();
  for (let round = 0; round < 10; round++) {
    const ids = [testMessageId(), testMessageId()];
    const [one, other] = [
      await deliver({ headers: { 'Message-ID': ids[0] } }, { to: desk.address }),
      await deliver({ headers: { 'Message-ID': ids[1] } }, { to: desk.address }),
    ];
    const reads = Array.from({ length: 6 }, (_, index) => {
      const conversationId = index % 2 ? one.conversationId : other.conversationId;
      return Promise.all([
        getConversation(desk.actor, conversationId),
        listMessages(desk.actor, listMessagesInput.parse({ conversationId })),
      ]);
    });
    await deliver({ headers: { References: ids.join(' ') } }, { to: desk.address });
    for (const [{ participants }, { total }] of await Promise.all(reads)) {
      expect(participants.length).toBeGreaterThan(0);
      expect(total).toBeGreaterThan(0);
    }
  }
});

describe('messages', () => {
  test('come by direction, order and page', async () => {
    const desk = await createTestDesk();
    const id = testMessageId();
    const { conversationId } = await deliver({ headers: { 'Message-ID': id }, body: '1' }, { to: desk.address });
    for (const body of ['2', '3']) await deliver({ headers: { References: id }, body }, { to: desk.address });
    const page = async (input: Record<string, unknown>) => {
      const list = await listMessages(desk.actor, listMessagesInput.parse({ conversationId, ...input }));
      return { ...list, messages: list.messages.map(({ text }) => text.trim()) };
    };
    expect(await page({})).toEqual({
      messages: ['1', '2', '3'],
      total: 3,
      limit: 100,
      offset: 0,
      hasMore: false,
      nextCursor: null,
    });
    expect(await page({ order: 'desc', limit: 2 })).toMatchObject({ messages: ['3', '2'], hasMore: true });
    expect(await page({ order: 'desc', limit: 2, offset: 2 })).toMatchObject({ messages: ['1'], hasMore: false });
    expect(await page({ direction: 'outbound' })).toMatchObject({ messages: [], total: 0 });
    expect(await page({ direction: 'inbound', order: 'desc', limit: 1 })).toMatchObject({
      messages: ['3'],
      total: 3,
      hasMore: true,
    });
    expect(await page({ direction: 'inbound', offset: 9 })).toMatchObject({ messages: [], total: 3 });
    expect(await page({ offset: 9 })).toMatchObject({ messages: [], total: 3 });
  });

  test('carry attachments only where they are asked for', async () => {
    const desk = await createTestDesk();
    const { conversationId } = await deliver(
      {
        headers: { 'Content-Type': 'multipart/mixed; boundary=b' },
        body: '--b\nContent-Type: text/plain\n\nSee below\n--b\nContent-Type: application/pdf\nContent-Disposition: attachment; filename="plan.pdf"\nContent-Transfer-Encoding: base64\n\nJVBERi0=\n--b--\n',
      },
      { to: desk.address },
    );
    const list = (includeAttachments: boolean) =>
      listMessages(desk.actor, listMessagesInput.parse({ conversationId, includeAttachments }));
    expect((await list(false)).messages[0]).toMatchObject({ attachmentCount: 1, attachments: [] });
    const [message] = (await list(true)).messages;
    expect(message?.attachments).toMatchObject([
      { filename: 'plan.pdf', contentType: 'application/pdf', size: 5, contentId: null, isInline: false },
    ]);
    expect(message?.attachments[0]?.downloadUrl).toBe(`/api/v1/attachments/${message?.attachments[0]?.id}`);
  });

  test('that are very long end a page early, and none is left out', async () => {
    const desk = await createTestDesk();
    const id = testMessageId();
    const { conversationId } = await deliver({ headers: { 'Message-ID': id }, body: 'short' }, { to: desk.address });
    const html = `<p>${'x'.repeat(1_000_000)}</p>`;
    for (let number = 0; number < 9; number++) {
      await deliver({ headers: { References: id, 'Content-Type': 'text/html' }, body: html }, { to: desk.address });
    }
    const first = await listMessages(desk.actor, listMessagesInput.parse({ conversationId }));
    expect(first.messages.length).toBeLessThan(10);
    expect(first).toMatchObject({ total: 10, hasMore: true });
    const rest = await listMessages(desk.actor, listMessagesInput.parse({ conversationId, offset: first.messages.length }));
    expect(first.messages.length + rest.messages.length).toBe(10);
    expect(rest.hasMore).toBe(false);
  });
});

describe('a thread', () => {
  test('is found by its conversation or by a message of it', async () => {
    const desk = await createTestDesk();
    const { conversationId, messageId } = await deliver({}, { to: desk.address });
    const byConversation = await getThread(desk.actor, { conversationId });
    expect(byConversation.thread).toMatchObject({ id: conversationId, subject: 'A question', messages: [{ id: messageId }] });
    expect(await getThread(desk.actor, { messageId })).toEqual(byConversation);
    expect(await getThread(desk.actor, { conversationId, messageId })).toEqual(byConversation);
    const other = await deliver({}, { to: desk.address });
    await expect(getThread(desk.actor, { conversationId, messageId: other.messageId })).rejects.toMatchObject({
      code: 'not_found',
    });
    await expect(getThread(desk.actor, {})).rejects.toMatchObject({
      code: 'invalid_request',
      details: { fields: { conversationId: expect.any(String), messageId: expect.any(String) } },
    });
  });
});

describe('the address to reply from', () => {
  test('is there where they wrote to a whitelisted address, and only then', async () => {
    const desk = await createTestDesk();
    const id = testMessageId();
    const viaSales = await deliver({ headers: { 'Message-ID': id } }, { to: desk.sales });
    const viaMain = await deliver({}, { to: desk.address });
    expect(await getIdentity(desk.actor, { conversationId: viaSales.conversationId })).toMatchObject({
      contextualFromAddress: desk.sales,
    });
    expect(await getIdentity(desk.actor, { messageId: viaSales.messageId })).toMatchObject({ contextualFromAddress: desk.sales });
    expect(await getIdentity(desk.actor, { conversationId: viaMain.conversationId })).not.toHaveProperty('contextualFromAddress');
    expect(await getIdentity(desk.actor)).not.toHaveProperty('contextualFromAddress');
    // The address of the first message counts.
    await deliver({ headers: { References: id } }, { to: desk.address });
    expect(await getIdentity(desk.actor, { conversationId: viaSales.conversationId })).toHaveProperty('contextualFromAddress');
    await removeWhitelistedAddress(desk.actor, desk.sales);
    expect(await getIdentity(desk.actor, { conversationId: viaSales.conversationId })).not.toHaveProperty(
      'contextualFromAddress',
    );
  });
});

test('tasks that agents reported on a conversation are linked, as their latest execution says', async () => {
  const desk = await createTestDesk();
  const { conversationId } = await deliver({}, { to: desk.address });
  const report = (fields: object) =>
    trackUsage(desk.actor, trackInput.parse({ type: 'agent_execution', agentId: 'a', conversationId, ...fields }));
  await report({ taskId: 'task-1', status: 'running', operation: 'triage' });
  await report({
    taskId: 'task-2',
    status: 'running',
    operation: 'offer',
    metadata: { title: 'Write an offer', dueAt: '2026-12-01T10:00:00Z' },
  });
  await report({ taskId: 'task-1', status: 'completed', operation: 'triage' });
  await report({ status: 'completed', operation: 'without a task' });
  // What agents say may be anything.
  const strange = { title: 't'.repeat(2_000), dueAt: '2026-02-30T10:00:00Z' };
  await report({ taskId: 'task-3', status: 'running', operation: 'x', metadata: strange });
  await report({
    taskId: 'task-4',
    status: 'running',
    operation: 'y',
    metadata: { title: randomBytes(200_000).toString('hex') },
  });
  expect((await getConversation(desk.actor, conversationId)).linkedTasks).toEqual([
    { id: 'task-4', title: 'y', status: 'running', agentId: 'a', dueAt: null },
    { id: 'task-3', title: 't'.repeat(500), status: 'running', agentId: 'a', dueAt: null },
    { id: 'task-1', title: 'triage', status: 'completed', agentId: 'a', dueAt: null },
    { id: 'task-2', title: 'Write an offer', status: 'running', agentId: 'a', dueAt: '2026-12-01T10:00:00Z' },
  ]);
});

test('nothing of another identity is found, and it looks like what does not exist', async () => {
  const desk = await createTestDesk();
  const { conversationId, messageId } = await deliver({}, { to: desk.address });
  const notFound = { code: 'not_found', message: 'Resource not found or access denied' };
  for (const [conversation, message] of [
    [conversationId, messageId],
    [nowhere, nowhere],
  ] as const) {
    await expect(getConversation(stranger.actor, conversation)).rejects.toMatchObject(notFound);
    await expect(updateConversation(stranger.actor, { conversationId: conversation, isSpam: true })).rejects.toMatchObject(
      notFound,
    );
    await expect(listMessages(stranger.actor, listMessagesInput.parse({ conversationId: conversation }))).rejects.toMatchObject(
      notFound,
    );
    await expect(getThread(stranger.actor, { conversationId: conversation })).rejects.toMatchObject(notFound);
    await expect(getThread(stranger.actor, { messageId: message })).rejects.toMatchObject(notFound);
    await expect(getIdentity(stranger.actor, { messageId: message })).rejects.toMatchObject(notFound);
  }
  expect((await listConversations(stranger.actor, listConversationsInput.parse({ isSpam: true }))).total).toBe(0);
  expect((await getConversation(desk.actor, conversationId)).isSpam).toBe(false);
});
