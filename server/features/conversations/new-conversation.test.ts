import { beforeAll, expect, test } from 'vitest';
import { createAgent, updateAgent } from '@/server/features/agents/agent.service';
import { prisma } from '@/server/platform/db/prisma';
import { withFreshDatabase } from '@/server/testing/database';
import { committedEvents } from '@/server/testing/events';
import { createTestIdentity, type TestIdentity } from '@/server/testing/identity';
import { deliver } from '@/server/testing/mail';
import { withHttpServer } from '@/server/testing/rest';
import { createApiKey } from '../api-keys/api-key.service';
import { getConversation } from './conversation.service';
import { newConversationInput, replyInput } from './message.schema';
import { startConversation } from './new-conversation.service';
import { replyTo } from './reply.service';

withFreshDatabase({ MAIL_FROM: 'Front desk <desk@operator.example>' });
const call = withHttpServer();

let desk: TestIdentity;
const address = 'desk@here.example';

beforeAll(async () => {
  desk = await createTestIdentity({
    address,
    displayName: 'The Desk',
    whitelist: [{ handle: 'sales', address: 'sales@here.example' }],
  });
});

const write = (input: object = {}, of = desk) =>
  startConversation(
    of.actor,
    newConversationInput.parse({ to: ['ann@quark.example'], subject: 'Your order', text: 'It is ready.', ...input }),
  );

test('a new email begins a conversation, and is queued with all recipients', async () => {
  const { conversation, message } = await write({
    to: [{ email: 'ann@quark.example', displayName: 'Ann' }, 'sales@here.example'],
    cc: ['bob@quark.example', 'ANN@quark.example'],
    bcc: ['cem@quark.example', 'bob@quark.example'],
  });
  expect(conversation).toMatchObject({
    subject: 'Your order',
    preview: 'It is ready.',
    status: 'waiting_customer',
    isRead: true,
    messageCount: 1,
    counterpart: { email: 'ann@quark.example', displayName: 'Ann' },
  });
  expect(message).toMatchObject({
    conversationId: conversation.id,
    direction: 'outbound',
    status: 'queued',
    from: { email: address, displayName: 'The Desk' },
    to: [
      { email: 'ann@quark.example', displayName: 'Ann' },
      { email: 'sales@here.example', displayName: null },
    ],
    cc: [{ email: 'bob@quark.example', displayName: null }],
    bcc: [{ email: 'cem@quark.example', displayName: null }],
    sentBy: { userId: desk.owner.userId },
    inReplyTo: null,
    references: [],
    attachmentCount: 0,
  });
  expect(message.messageIdHeader).toMatch(/@here\.example>$/);
  const outbox = await prisma().outboxMail.findFirstOrThrow({ where: { messageId: message.id } });
  expect(outbox.recipients).toEqual(['ann@quark.example', 'sales@here.example', 'bob@quark.example', 'cem@quark.example']);
  const { participants } = await getConversation(desk.actor, conversation.id);
  expect(participants.map(({ email, role }) => [role, email])).toEqual([
    ['from', address],
    ['to', 'ann@quark.example'],
    ['to', 'sales@here.example'],
    ['cc', 'bob@quark.example'],
    ['bcc', 'cem@quark.example'],
  ]);
});

test('its answer comes into the same conversation, and our next reply goes out from the same address', async () => {
  const { conversation, message } = await write({ from: 'sales@here.example' });
  const next = await replyTo(desk.actor, replyInput.parse({ conversationId: conversation.id, text: 'And invoiced.' }));
  expect(next).toMatchObject({ from: { email: 'sales@here.example' }, to: [{ email: 'ann@quark.example' }] });
  const headers = { 'In-Reply-To': message.messageIdHeader };
  const answer = await deliver({ headers }, { to: 'sales@here.example' });
  expect(answer.conversationId).toBe(conversation.id);
  expect(await getConversation(desk.actor, conversation.id)).toMatchObject({ status: 'pending', isRead: false, messageCount: 3 });
});

test('an agent writes from its own address, and signs', async () => {
  const { id: agentId } = await createAgent(desk.actor, { name: 'Night', roleId: 'night', kind: 'assistant' });
  await updateAgent(desk.actor, { agentId, persona: { signature: 'Night at the desk' } });
  const { conversation, message } = await write({ agentId });
  expect(message).toMatchObject({ agentId, from: { email: 'night@here.example', displayName: 'Night' } });
  expect(message.text).toBe('It is ready.\n\n-- \nNight at the desk\n');
  expect((await getConversation(desk.actor, conversation.id)).assignedAgents).toMatchObject([{ id: agentId }]);
  expect((await write({ agentId, from: address })).message.from).toEqual({ email: address, displayName: 'Night' });
  const unknown = '0199f3b2-6c1e-7a40-9a3e-0c1f2d3e4f50';
  await expect(write({ agentId: unknown })).rejects.toMatchObject({ code: 'not_found' });
});

test('senders that are not the identity’s own are refused, and its operator’s, where no answer would come back', async () => {
  for (const from of ['ceo@elsewhere.example', 'desk@operator.example']) {
    await expect(write({ from })).rejects.toMatchObject({
      details: { fields: { from: 'is not an address of this identity' } },
    });
  }
  const homeless = await createTestIdentity();
  await prisma().agentAddress.deleteMany({ where: { identityId: homeless.identityId } });
  await prisma().agent.updateMany({ where: { identityId: homeless.identityId }, data: { status: 'archived' } });
  await expect(write({}, homeless)).rejects.toMatchObject({
    details: { fields: { from: 'is required: this identity has no address to write from' } },
  });
});

test.each([
  ['to', { to: [] }],
  ['to.0', { to: ['ann'] }],
  ['subject', { subject: 'Two\nlines' }],
  ['subject', { subject: undefined }],
  ['text', { text: ' ' }],
  ['bcc.0', { bcc: [{ displayName: 'Ann' }] }],
  ['attachmentIds.0', { attachmentIds: ['x'] }],
])('bad input is refused by its name: %s', (field, input) => {
  const { error } = newConversationInput.safeParse({ to: ['ann@x.io'], subject: 'x', text: 'x', ...input });
  expect(error?.issues.map((issue) => issue.path.join('.'))).toContain(field);
});

test('a program that may only send sees who is written to, and nothing of the customers', async () => {
  const { key } = await createApiKey(desk.actor, { name: 'Form', expiresAt: null, scopes: ['conversations:send'] });
  const json = { to: ['ann@x.io'], subject: 'x', text: 'x' };
  const { status, body } = await call('POST', '/api/v1/conversations', { key, json });
  expect(status).toBe(201);
  const { conversation } = body as { conversation: object };
  expect(conversation).toHaveProperty('counterpart.email', 'ann@x.io');
  expect(conversation).not.toHaveProperty('participants');
});

test('both of its events are written, or beyond the daily quota nothing at all', async () => {
  const of = await createTestIdentity({ address: `desk@${desk.handle}.example`, plan: 'free' });
  await write({}, of);
  const types = async () => (await committedEvents(of)).map(({ type }) => type);
  expect(await types()).toEqual(['conversation.created', 'message.queued']);
  await prisma().mailDay.updateMany({ where: { identityId: of.identityId }, data: { mails: 200 } });
  await expect(write({}, of)).rejects.toMatchObject({ code: 'quota_exceeded' });
  expect(await types()).toHaveLength(2);
  expect(await prisma().conversation.count({ where: { identityId: of.identityId } })).toBe(1);
});
