import { beforeAll, describe, expect, test } from 'vitest';
import { createAgent, updateAgent } from '@/server/features/agents/agent.service';
import { prisma } from '@/server/platform/db/prisma';
import { withFreshDatabase } from '@/server/testing/database';
import { createTestIdentity, type TestIdentity } from '@/server/testing/identity';
import { deliver, type TestMail, testMessageId } from '@/server/testing/mail';
import { getConversation } from './conversation.service';
import { type ReplyInput, replyInput } from './message.schema';
import { getReplyDraft, replyTo } from './reply.service';

withFreshDatabase({ MAIL_FROM: 'Front desk <desk@operator.example>' });

let desk: TestIdentity;
const address = 'desk@here.example';

beforeAll(async () => {
  desk = await createTestIdentity({
    address,
    displayName: 'The Desk',
    whitelist: [{ handle: 'sales', address: 'sales@here.example' }],
  });
});

const reply = (conversationId: string, input: Partial<ReplyInput> = {}) =>
  replyTo(desk.actor, replyInput.parse({ conversationId, text: 'Yes, we are.', ...input }));

async function conversation(mail: TestMail = {}, to = address) {
  return (await deliver(mail, { to })).conversationId;
}

describe('a reply', () => {
  test('goes to all of the last message that came in, in its thread, from the identity’s address', async () => {
    const [first, last] = [testMessageId(), testMessageId()];
    const id = await conversation({ headers: { 'Message-ID': first } });
    await deliver(
      {
        headers: {
          'Message-ID': last,
          'In-Reply-To': first,
          References: first,
          From: 'Bob <bob@quark.example>',
          To: `${address}, Ann <ann@quark.example>`,
          Cc: 'cem@quark.example, sales@here.example',
        },
      },
      { to: address },
    );
    const message = await reply(id);
    expect(message).toMatchObject({
      conversationId: id,
      direction: 'outbound',
      status: 'queued',
      from: { email: address, displayName: 'The Desk' },
      to: [{ email: 'bob@quark.example', displayName: 'Bob' }],
      cc: [
        { email: 'ann@quark.example', displayName: 'Ann' },
        { email: 'cem@quark.example', displayName: null },
      ],
      subject: 'Re: A question',
      inReplyTo: last,
      references: [first, last],
      isRead: true,
      isAutoReply: false,
      sentAt: null,
      receivedAt: null,
    });
    expect(message.messageIdHeader).toMatch(/^<[^<>@]+@here\.example>$/);
    expect(message.html).toContain('Yes, we are.');
    expect(await getConversation(desk.actor, id)).toMatchObject({
      status: 'waiting_customer',
      isRead: true,
      messageCount: 3,
      preview: 'Yes, we are.',
    });
    expect(await prisma().outboxMail.findFirstOrThrow({ where: { messageId: message.id } })).toMatchObject({
      kind: 'reply',
      state: 'queued',
      messageIdHeader: message.messageIdHeader,
      recipients: ['bob@quark.example', 'ann@quark.example', 'cem@quark.example'],
    });
  });

  test('is answered in the same conversation', async () => {
    const id = await conversation();
    const { messageIdHeader } = await reply(id);
    expect(await conversation({ headers: { 'In-Reply-To': messageIdHeader } })).toBe(id);
    expect(await getConversation(desk.actor, id)).toMatchObject({ status: 'pending', isRead: false });
  });

  test('comes from where they wrote to', async () => {
    expect((await reply(await conversation({}, 'sales@here.example'))).from.email).toBe('sales@here.example');
    await createAgent(desk.actor, { name: 'Night', roleId: 'night', kind: 'assistant' });
    expect((await reply(await conversation({}, 'night@here.example'))).from).toEqual({
      email: 'night@here.example',
      displayName: 'Night',
    });
  });

  test('comes from another address of the identity where asked to, and from no other', async () => {
    const id = await conversation();
    expect((await reply(id, { from: 'sales@here.example' })).from.email).toBe('sales@here.example');
    await expect(reply(id, { from: 'ceo@elsewhere.example' })).rejects.toMatchObject({
      code: 'invalid_request',
      details: { fields: { from: expect.any(String) } },
    });
  });

  test('of an identity without addresses comes from the operator’s, and answers come back', async () => {
    const homeless = await createTestIdentity({ displayName: 'Homeless' });
    const to = `inbox-manager@${homeless.handle}.localhost`;
    const { conversationId } = await deliver({}, { to });
    const draft = await getReplyDraft(homeless.actor, conversationId);
    expect(draft.senders.map(({ reason }) => reason)).toEqual(['contextual', 'fallback']);
    const from = 'desk@operator.example';
    const { id } = await replyTo(homeless.actor, replyInput.parse({ conversationId, text: 'Hi', from }));
    const { mail } = await prisma().outboxMail.findFirstOrThrow({ where: { messageId: id } });
    expect(mail).toMatchObject({ from: { email: from, displayName: 'Homeless' }, replyTo: { email: to } });
  });

  test('goes to whom it names, and to them alone', async () => {
    const id = await conversation({ headers: { Cc: 'cem@quark.example' } });
    const to = [{ email: 'Dora@Quark.example', displayName: 'Dora' }, 'ann@quark.example'];
    expect(await reply(id, { to })).toMatchObject({
      to: [
        { email: 'dora@quark.example', displayName: 'Dora' },
        { email: 'ann@quark.example', displayName: null },
      ],
      cc: [],
    });
    expect(await reply(id, { cc: ['ann@quark.example', 'eve@quark.example'] })).toMatchObject({
      to: [{ email: 'ann@quark.example' }],
      cc: [{ email: 'eve@quark.example' }],
    });
  });

  test('is signed by an agent, who belongs to the conversation then', async () => {
    const agent = await createAgent(desk.actor, { name: 'Lena', roleId: 'lena', kind: 'assistant' });
    await updateAgent(desk.actor, { agentId: agent.id, persona: { signature: 'Kind regards\nLena' } });
    const id = await conversation();
    const message = await reply(id, { agentId: agent.id, quote: true });
    expect(message).toMatchObject({ agentId: agent.id, from: { email: address, displayName: 'Lena' } });
    expect(message.text).toContain('-- \nKind regards\nLena');
    expect(message.text).toContain('Ann Quark wrote:\n> Hello');
    expect(message.preview).toBe('Yes, we are.');
    expect((await getConversation(desk.actor, id)).assignedAgents).toMatchObject([{ id: agent.id }]);
  });

  test('is never signed by another identity’s agent', async () => {
    const stranger = await createTestIdentity();
    const foreign = await createAgent(stranger.actor, { name: 'Foreign', roleId: 'foreign', kind: 'assistant' });
    await expect(reply(await conversation(), { agentId: foreign.id })).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('automatic mail is never answered', () => {
  test('but the person’s before it is', async () => {
    const id = testMessageId();
    const conversationId = await conversation({ headers: { 'Message-ID': id } });
    const headers = { 'In-Reply-To': id, 'Auto-Submitted': 'auto-replied', From: 'robot@quark.example' };
    await deliver({ headers }, { to: address });
    expect((await reply(conversationId)).to).toMatchObject([{ email: 'ann@quark.example' }]);
  });

  test('alone, unless somebody is named', async () => {
    const conversationId = await conversation({ headers: { Precedence: 'bulk' } });
    await expect(reply(conversationId)).rejects.toMatchObject({ details: { fields: { to: expect.any(String) } } });
    expect((await reply(conversationId, { to: ['ann@quark.example'] })).to).toMatchObject([{ email: 'ann@quark.example' }]);
    expect(await getReplyDraft(desk.actor, conversationId)).toMatchObject({ cc: [] });
  });
});

test('a message from a crowd is answered to its sender, unless others are named', async () => {
  const crowd = Array.from({ length: 150 }, (_, index) => `p${index}@quark.example`).join(', ');
  const id = await conversation({ headers: { To: `${address}, ${crowd}`, Cc: crowd.replaceAll('@', '-cc@') } });
  expect(await reply(id)).toMatchObject({ to: [{ email: 'ann@quark.example' }], cc: [] });
  expect(await getReplyDraft(desk.actor, id)).toMatchObject({ to: [{ email: 'ann@quark.example' }], cc: [] });
});

test('what came in after one looked stays unread', async () => {
  const headerId = testMessageId();
  const headers = { 'Message-ID': headerId };
  const { conversationId } = await deliver({ headers }, { to: address, receivedAt: new Date('2026-01-01T10:00:00Z') });
  await deliver({ headers: { 'In-Reply-To': headerId } }, { to: address, receivedAt: new Date('2026-01-01T10:05:00Z') });
  await reply(conversationId, { seenUntil: '2026-01-01T10:00:00.000Z' });
  expect(await getConversation(desk.actor, conversationId)).toMatchObject({ isRead: false, status: 'waiting_customer' });
  await reply(conversationId);
  expect(await getConversation(desk.actor, conversationId)).toMatchObject({ isRead: true });
});

test('a refused reply leaves nothing behind', async () => {
  const id = await conversation();
  const before = await getConversation(desk.actor, id);
  await expect(reply(id, { from: 'x@y.example' })).rejects.toBeDefined();
  expect(await getConversation(desk.actor, id)).toEqual(before);
  expect(await prisma().message.count({ where: { conversationId: id } })).toBe(1);
});

test('replies written at once are all there, in one thread', async () => {
  const id = await conversation();
  const replies = await Promise.all(Array.from({ length: 10 }, (_, index) => reply(id, { text: `Reply ${index}` })));
  expect(new Set(replies.map(({ messageIdHeader }) => messageIdHeader)).size).toBe(10);
  expect((await getConversation(desk.actor, id)).messageCount).toBe(11);
  expect(await prisma().outboxMail.count({ where: { messageId: { in: replies.map((message) => message.id) } } })).toBe(10);
});

describe.each([
  [{ text: '' }, 'text'],
  [{ text: ' \n ' }, 'text'],
  [{ text: 'x'.repeat(200_001) }, 'text'],
  [{ to: ['ann'] }, 'to.0'],
  [{ to: Array.from({ length: 101 }, (_, index) => `a${index}@x.example`) }, 'to'],
  [{ cc: [{ email: 'a@x.example', displayName: 5 }] }, 'cc.0'],
  [{ from: 'here' }, 'from'],
  [{ agentId: 'x' }, 'agentId'],
])('bad input %j', (input, field) => {
  test('is named', () => {
    const parsed = replyInput.safeParse({ conversationId: '0199f3b2-6c1e-7a40-9a3e-0c1f2d3e4f50', text: 'Yes', ...input });
    expect(parsed.success).toBe(false);
    expect(parsed.error?.issues.map(({ path }) => path.join('.')).some((path) => path.startsWith(field))).toBe(true);
  });
});
