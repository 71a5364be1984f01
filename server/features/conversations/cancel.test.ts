import { v7 as uuidv7 } from 'uuid';
import { beforeAll, describe, expect, test } from 'vitest';
import { createAgent, updateAgent } from '@/server/features/agents/agent.service';
import { createApiKey } from '@/server/features/api-keys/api-key.service';
import { resendMail } from '@/server/features/mail/outbox-list.service';
import { pool } from '@/server/platform/db/pool';
import { prisma } from '@/server/platform/db/prisma';
import { withFreshDatabase } from '@/server/testing/database';
import { eventsOf } from '@/server/testing/events';
import { createTestIdentity, type TestIdentity } from '@/server/testing/identity';
import { findJob } from '@/server/testing/jobs';
import { deliver } from '@/server/testing/mail';
import { notificationsOf } from '@/server/testing/notifications';
import { withHttpServer } from '@/server/testing/rest';
import { withMailServer } from '@/server/testing/smtp-server';
import { addTestMember } from '@/server/testing/team';
import { sendMailJob } from '../outbox/outbox.service';
import { sendMail } from '../outbox/sending.service';
import { getQuotaUse } from '../usage/quota.service';
import { cancelMessage } from './cancel.service';
import { getConversation, listMessages } from './conversation.service';
import { recordDelivery } from './delivery.service';
import { saveDraftInput, saveReplyDraftInput } from './draft.schema';
import { getDraft, saveConversationDraft, saveDraft } from './draft.service';
import { listMessagesInput, newConversationInput, type ReplyInput, replyInput } from './message.schema';
import { startConversation } from './new-conversation.service';
import { addNoteInput } from './note.schema';
import { addNote } from './note.service';
import { replyTo } from './reply.service';
import { uploadAttachment } from './upload.service';

withFreshDatabase();
const mailServer = withMailServer();
const call = withHttpServer();

let desk: TestIdentity;
let agentId: string;
const address = 'desk@here.example';

beforeAll(async () => {
  desk = await createTestIdentity({ address });
  agentId = (await createAgent(desk.actor, { name: 'Night', roleId: 'night', kind: 'assistant' })).id;
  await updateAgent(desk.actor, { agentId, persona: { signature: 'Night at the desk' } });
});

type Author = Parameters<typeof replyTo>[0];

const received = async () => (await deliver({}, { to: address })).conversationId;

const reply = (conversationId: string, input: Partial<ReplyInput> = {}, author: Author = desk.actor) =>
  replyTo(author, replyInput.parse({ conversationId, text: 'It is ready.', holdSeconds: 30, ...input }));

const write = (input: object = {}, author: Author = desk.actor) =>
  startConversation(
    author,
    newConversationInput.parse({
      to: ['ann@quark.example'],
      subject: 'Your order',
      text: 'It is ready.',
      holdSeconds: 30,
      ...input,
    }),
  );

async function cancel(actor: Author, messageId: string) {
  const { conversationId } = await prisma().message.findFirstOrThrow({ where: { id: messageId } });
  return cancelMessage(actor, { conversationId, messageId });
}

const messagesOf = async (conversationId: string) =>
  (await listMessages(desk.actor, listMessagesInput.parse({ conversationId }))).messages;

async function upload(): Promise<string> {
  const file = { sha256: 'a'.repeat(64), size: 9, filename: 'offer.pdf', contentType: 'application/pdf' };
  return (await uploadAttachment(desk.actor, file, {})).id;
}

const outboxIdOf = async (messageId: string) => (await prisma().outboxMail.findFirstOrThrow({ where: { messageId } })).id;

const isLeft = (messageId: string) => prisma().outboxMail.count({ where: { messageId } });

describe('a reply that is cancelled', () => {
  test('is a draft with what was written, and its conversation is what it was', async () => {
    const conversationId = await received();
    const before = await getConversation(desk.actor, conversationId);
    const countedBefore = (await getQuotaUse(desk.identityId)).mails.current;
    const attachmentId = await upload();
    const message = await reply(conversationId, {
      ...{ to: ['ann@quark.example', { email: 'bob@quark.example', displayName: 'Bob' }], cc: ['cem@quark.example'] },
      ...{ bcc: ['dee@quark.example'], agentId, quote: true, attachmentIds: [attachmentId] },
    });
    expect(message.text).toContain('Night at the desk');
    const mailId = await outboxIdOf(message.id);
    expect(await findJob(sendMailJob, mailId)).toBeDefined();
    expect((await getQuotaUse(desk.identityId)).mails.current).toBe(countedBefore + 1);

    const { draft } = await cancel(desk.actor, message.id);
    expect(draft).toMatchObject({
      ...{ conversationId, text: 'It is ready.', agentId, quote: true, subject: '', from: null },
      to: [
        { email: 'ann@quark.example', displayName: null },
        { email: 'bob@quark.example', displayName: 'Bob' },
      ],
      cc: [{ email: 'cem@quark.example', displayName: null }],
      bcc: [{ email: 'dee@quark.example', displayName: null }],
      attachments: [{ id: attachmentId, filename: 'offer.pdf' }],
    });
    expect(await getDraft(desk.actor, draft.id)).toEqual(draft);
    const { revision, updatedAt, ...rest } = before;
    const after = await getConversation(desk.actor, conversationId);
    expect(after).toMatchObject({ ...rest, isRead: true });
    expect(await messagesOf(conversationId)).toHaveLength(1);
    expect(await isLeft(message.id)).toBe(0);
    expect(await findJob(sendMailJob, mailId)).toBeUndefined();
    expect((await getQuotaUse(desk.identityId)).mails.current).toBe(countedBefore);
    await sendMail(mailId, recordDelivery);
    expect(mailServer.accepted).toEqual([]);
  });

  test('can be sent again, with its attachments', async () => {
    const conversationId = await received();
    const attachmentId = await upload();
    const { id: messageId } = await reply(conversationId, { attachmentIds: [attachmentId] });
    const { draft } = await cancel(desk.actor, messageId);
    const ids = draft.attachments.map(({ id }) => id);
    const again = await reply(conversationId, { draftId: draft.id, attachmentIds: ids, holdSeconds: 0 });
    expect(again.attachmentCount).toBe(1);
    await expect(getDraft(desk.actor, draft.id)).rejects.toMatchObject({ code: 'not_found' });
  });

  test('writes events for those who saw it', async () => {
    const conversationId = await received();
    const message = await reply(conversationId);
    const events = await eventsOf(desk, () => cancel(desk.actor, message.id));
    expect(events.map(({ type, object }) => [type, object.id])).toEqual([
      ['message.deleted', message.id],
      ['conversation.updated', conversationId],
    ]);
  });

  test('leaves what came after it', async () => {
    const conversationId = await received();
    const [first, second] = [
      await reply(conversationId, { text: 'First' }),
      await reply(conversationId, { text: 'Second', agentId }),
    ];
    await cancel(desk.actor, first.id);
    expect(await getConversation(desk.actor, conversationId)).toMatchObject({
      ...{ messageCount: 2, preview: 'Second', status: 'waiting_customer', assignedAgents: [{ id: agentId }] },
    });
    expect((await messagesOf(conversationId)).map(({ id }) => id)).toContain(second.id);
  });

  test('becomes a new email where its author has begun another reply', async () => {
    const conversationId = await received();
    const { id: messageId } = await reply(conversationId);
    await saveConversationDraft(desk.actor, saveReplyDraftInput.parse({ conversationId, text: 'And' }));
    const { draft } = await cancel(desk.actor, messageId);
    expect(draft).toMatchObject({ conversationId: null, subject: 'Re: A question', to: [{ email: 'ann@quark.example' }] });
  });
});

describe('a new email that is cancelled', () => {
  test('takes its conversation along', async () => {
    const { conversation, message } = await write({ bcc: ['bob@quark.example'] });
    const colleague = await addTestMember(desk, 'member');
    const begun = saveDraftInput.parse({ draftId: uuidv7(), conversationId: conversation.id, text: 'I would add' });
    await saveDraft(colleague.actor, begun);
    const events = await eventsOf(desk, async () => {
      const { draft } = await cancel(desk.actor, message.id);
      expect(draft).toMatchObject({
        ...{ conversationId: null, subject: 'Your order', text: 'It is ready.', quote: false },
        ...{ to: [{ email: 'ann@quark.example' }], bcc: [{ email: 'bob@quark.example' }] },
      });
    });
    expect(events.map(({ type }) => type)).toEqual(['message.deleted', 'conversation.deleted']);
    await expect(getConversation(desk.actor, conversation.id)).rejects.toMatchObject({ code: 'not_found' });
    expect(await getDraft(colleague.actor, begun.draftId)).toMatchObject({ conversationId: null, text: 'I would add' });
  });

  test('leaves the notes of colleagues in the trash', async () => {
    const { conversation, message } = await write();
    const conversationId = conversation.id;
    await addNote(desk.actor, addNoteInput.parse({ conversationId, text: 'Wait for the invoice.' }));
    await cancel(desk.actor, message.id);
    expect(await getConversation(desk.actor, conversationId)).toMatchObject({ isTrashed: true, messageCount: 0, preview: '' });
    expect(await prisma().conversationNote.count({ where: { conversationId } })).toBe(1);
  });
});

describe('an email can’t be cancelled', () => {
  test.each(['sending', 'sent', 'failed'] as const)('once it is %s', async (state) => {
    const conversationId = await received();
    const { id: messageId } = await reply(conversationId);
    const text = `UPDATE outbox_mails SET state = $2::outbox_state, sent_at = CASE WHEN $2 = 'sent' THEN now() END WHERE message_id = $1`;
    await pool().query(text, [messageId, state]);
    await expect(cancel(desk.actor, messageId)).rejects.toMatchObject({ code: 'conflict' });
    expect(await messagesOf(conversationId)).toHaveLength(2);
    expect(await isLeft(messageId)).toBe(1);
  });

  test('once some of its recipients have it', async () => {
    mailServer.behave({ recipient: (to) => (to.startsWith('bob') ? { code: 451, message: '4.3.0 Busy' } : undefined) });
    const conversationId = await received();
    const { id: messageId } = await reply(conversationId, {
      holdSeconds: 0,
      cc: ['bob@quark.example'],
      to: ['ann@quark.example'],
    });
    await sendMail(await outboxIdOf(messageId), recordDelivery);
    await expect(cancel(desk.actor, messageId)).rejects.toMatchObject({ code: 'conflict' });
  });

  test('if it was received, is unknown, of another conversation, or of another business', async () => {
    const conversationId = await received();
    const [inbound] = await messagesOf(conversationId);
    const { id: messageId } = await reply(conversationId);
    const stranger = await createTestIdentity();
    await expect(cancel(desk.actor, inbound?.id ?? '')).rejects.toMatchObject({ code: 'conflict' });
    await expect(cancelMessage(desk.actor, { conversationId, messageId: uuidv7() })).rejects.toMatchObject({ code: 'not_found' });
    await expect(cancelMessage(desk.actor, { conversationId: await received(), messageId })).rejects.toMatchObject({
      code: 'not_found',
    });
    await expect(cancel(stranger.actor, messageId)).rejects.toMatchObject({ code: 'not_found' });
    expect(await isLeft(messageId)).toBe(1);
  });
});

test('an email that waits for the mail server to come back can be cancelled', async () => {
  mailServer.behave({ message: () => ({ code: 451, message: '4.3.0 Busy' }) });
  const conversationId = await received();
  const { id: messageId } = await reply(conversationId, { holdSeconds: 0 });
  await sendMail(await outboxIdOf(messageId), recordDelivery);
  const { draft } = await cancel(desk.actor, messageId);
  expect(draft.text).toBe('It is ready.');
});

test('of sending and cancelling at the same time, one happens', async () => {
  for (let round = 0; round < 12; round++) {
    mailServer.accepted.length = 0;
    const conversationId = await received();
    const { id: messageId } = await reply(conversationId, { holdSeconds: 0 });
    const mailId = await outboxIdOf(messageId);
    const cancelled = cancelMessage(desk.actor, { conversationId, messageId });
    const sent = sendMail(mailId, recordDelivery);
    const [result] = await Promise.allSettled([cancelled, sent]);
    await sent;
    const isCancelled = result.status === 'fulfilled';
    expect(mailServer.accepted).toHaveLength(isCancelled ? 0 : 1);
    expect((await messagesOf(conversationId)).map(({ status }) => status)).toEqual(
      isCancelled ? ['received'] : ['received', 'sent'],
    );
    if (!isCancelled) expect(result.reason).toMatchObject({ code: 'conflict' });
  }
});

test('of two who cancel at the same time, one gets the draft', async () => {
  const colleague = await addTestMember(desk, 'member');
  const conversationId = await received();
  const { id: messageId } = await reply(conversationId);
  const results = await Promise.allSettled(
    [desk.actor, colleague.actor].map((actor) => cancelMessage(actor, { conversationId, messageId })),
  );
  expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  expect(await prisma().mailDraft.count({ where: { conversationId } })).toBe(1);
  expect(await getConversation(desk.actor, conversationId)).toMatchObject({ messageCount: 1 });
});

test('a colleague who cancels gets the draft, and its author is notified', async () => {
  const colleague = await addTestMember(desk, 'member', 'Theo');
  const conversationId = await received();
  const { id: messageId } = await reply(conversationId);
  const { draft } = await cancel(colleague.actor, messageId);
  expect(await getDraft(colleague.actor, draft.id)).toEqual(draft);
  await expect(getDraft(desk.actor, draft.id)).rejects.toMatchObject({ code: 'not_found' });
  const titles = (await notificationsOf(desk.actor)).map(({ title }) => title);
  expect(titles).toContain('Cancelled by a colleague: Re: A question');
  expect(await notificationsOf(colleague.actor)).toEqual([]);
});

test('an email of a version that did not keep what was written becomes a draft of its message', async () => {
  const conversationId = await received();
  const { id: messageId } = await reply(conversationId, { agentId });
  await pool().query('UPDATE outbox_mails SET draft = NULL WHERE message_id = $1', [messageId]);
  const { draft } = await cancel(desk.actor, messageId);
  expect(draft).toMatchObject({ conversationId, from: address, agentId: null, quote: false });
  expect(draft.text).toBe('It is ready.\n\n-- \nNight at the desk\n');
});

test('what was written is forgotten once the email is sent', async () => {
  const conversationId = await received();
  const { id: messageId } = await reply(conversationId, { holdSeconds: 0 });
  const stored = () => prisma().outboxMail.findFirstOrThrow({ where: { messageId } });
  expect((await stored()).draft).toMatchObject({ text: 'It is ready.' });
  await sendMail(await outboxIdOf(messageId), recordDelivery);
  expect(await stored()).toMatchObject({ state: 'sent', draft: null });
});

test('a program that may only send cancels what programs have sent, and not what people write', async () => {
  const conversationId = await received();
  const [{ id: messageId }, own] = [await reply(conversationId), await reply(conversationId, {}, desk.apiKeyActor)];
  const pathOf = (id: string) => `/api/v1/conversations/${conversationId}/messages/${id}/cancel`;
  const path = pathOf(messageId);
  const { key } = await createApiKey(desk.actor, { name: 'Form', expiresAt: null, scopes: ['conversations:send'] });
  expect(await call('POST', path, { key })).toMatchObject({
    status: 403,
    body: { code: 'insufficient_scope', details: { required: 'conversations:read' } },
  });
  expect(await call('POST', pathOf(own.id), { key })).toMatchObject({ status: 200, body: { draft: { text: 'It is ready.' } } });
  expect(await isLeft(messageId)).toBe(1);
  expect(await call('POST', path, { key: desk.key })).toMatchObject({ status: 200, body: { draft: { text: 'It is ready.' } } });
  expect(await call('POST', path, { key: desk.key })).toMatchObject({ status: 404 });
});

test('sending a scheduled email now counts it once', async () => {
  const conversationId = await received();
  const before = (await getQuotaUse(desk.identityId)).mails.current;
  const sendAt = new Date(Date.now() + 3 * 86_400_000).toISOString();
  const { id: messageId } = await reply(conversationId, { sendAt });
  expect((await getQuotaUse(desk.identityId)).mails.current).toBe(before);
  const mailId = await outboxIdOf(messageId);
  await resendMail(desk.actor, mailId);
  expect((await getQuotaUse(desk.identityId)).mails.current).toBe(before + 1);
  const days = await prisma().mailDay.findMany({ where: { identityId: desk.identityId } });
  expect(days.reduce((sum, { mails }) => sum + mails, 0)).toBe(before + 1);
  await sendMail(mailId, recordDelivery);
  expect(mailServer.accepted).toHaveLength(1);
});
