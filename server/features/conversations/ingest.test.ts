import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { createCustomerInput } from '@/server/features/customers/customer.schema';
import { createCustomer, listCustomers } from '@/server/features/customers/customer.service';
import { prisma } from '@/server/platform/db/prisma';
import { withFreshDatabase } from '@/server/testing/database';
import { createTestIdentity, type TestIdentity } from '@/server/testing/identity';
import { deliver, mailBytes, receiveBytes, testMessageId } from '@/server/testing/mail';
import { listConversationsInput } from './conversation.schema';
import { getConversation, listConversations, listMessages } from './conversation.service';
import { listMessagesInput } from './message.schema';

withFreshDatabase();

let desk: TestIdentity;
let address: string;

beforeAll(async () => {
  desk = await createTestIdentity({ address: 'desk@here.example' });
  address = 'desk@here.example';
});

const messagesOf = (conversationId: string) => listMessages(desk.actor, listMessagesInput.parse({ conversationId }));

describe('a message', () => {
  test('begins a conversation that is pending and unread', async () => {
    const { conversationId, messageId } = await deliver(
      { headers: { Subject: 'Opening hours', Cc: 'Bob <bob@quark.example>' }, body: 'Are you open\non Saturday?' },
      { to: address },
    );
    const conversation = await getConversation(desk.actor, conversationId);
    expect(conversation).toMatchObject({
      identityId: desk.identityId,
      subject: 'Opening hours',
      channel: 'email',
      preview: 'Are you open on Saturday?',
      status: 'pending',
      isRead: false,
      isArchived: false,
      isSpam: false,
      messageCount: 1,
      counterpart: { email: 'ann@quark.example', displayName: 'Ann Quark' },
      assignedAgents: [],
      linkedTasks: [],
      metadata: {},
    });
    expect(conversation.participants).toMatchObject([
      { email: 'ann@quark.example', displayName: 'Ann Quark', role: 'from', customerId: null, isSelf: false },
      { email: address, displayName: null, role: 'to', isSelf: true },
      { email: 'bob@quark.example', displayName: 'Bob', role: 'cc', isSelf: false },
    ]);
    const { messages, total } = await messagesOf(conversationId);
    expect(total).toBe(1);
    expect(messages[0]).toMatchObject({
      id: messageId,
      conversationId,
      direction: 'inbound',
      status: 'received',
      from: { email: 'ann@quark.example', displayName: 'Ann Quark' },
      to: [{ email: address, displayName: null }],
      cc: [{ email: 'bob@quark.example', displayName: 'Bob' }],
      bcc: [],
      text: 'Are you open\non Saturday?',
      html: null,
      inReplyTo: null,
      references: [],
      agentId: null,
      isRead: false,
      isAutoReply: false,
      attachmentCount: 0,
      attachments: [],
      sentAt: '2026-11-21T09:30:00.000Z',
    });
  });

  test('that comes again changes nothing', async () => {
    const bytes = mailBytes();
    const first = await receiveBytes(bytes, { to: address });
    const second = await receiveBytes(bytes, { to: address });
    expect(first).toMatchObject({ deliveries: [{ isNew: true }] });
    expect(second).toEqual({ ...first, deliveries: first.kind === 'stored' ? [{ ...first.deliveries[0], isNew: false }] : [] });
    expect((await messagesOf(first.kind === 'stored' ? (first.deliveries[0]?.conversationId ?? '') : '')).total).toBe(1);
  });

  test('that comes twenty times at once is there once', async () => {
    const bytes = mailBytes();
    const receptions = await Promise.all(Array.from({ length: 20 }, () => receiveBytes(bytes, { to: address })));
    const deliveries = receptions.flatMap((reception) => (reception.kind === 'stored' ? reception.deliveries : []));
    expect(new Set(deliveries.map(({ messageId }) => messageId)).size).toBe(1);
    expect(deliveries.filter(({ isNew }) => isNew)).toHaveLength(1);
  });

  test('without a Message-ID is known by its bytes', async () => {
    const bytes = mailBytes({ headers: { 'Message-ID': undefined } });
    const [first, second] = [await receiveBytes(bytes, { to: address }), await receiveBytes(bytes, { to: address })];
    expect(first).toMatchObject({ deliveries: [{ isNew: true }] });
    expect(second).toMatchObject({ deliveries: [{ isNew: false }] });
  });

  test('makes its sender a contact and never a customer; a customer with that contact is named', async () => {
    const customers = (await listCustomers(desk.actor, { limit: 100, offset: 0 })).total;
    const { conversationId } = await deliver({ headers: { From: 'Zoe Zimt <Zoe@Zimt.example>' } }, { to: address });
    const contact = await prisma().externalContact.findFirstOrThrow({ where: { email: 'zoe@zimt.example' } });
    expect(contact).toMatchObject({ displayName: 'Zoe Zimt', customerId: null });
    expect((await listCustomers(desk.actor, { limit: 100, offset: 0 })).total).toBe(customers);
    const input = createCustomerInput.parse({ contacts: [{ guid: contact.guid }], company: 'Zimt' });
    const customer = await createCustomer(desk.actor, input);
    const { participants } = await getConversation(desk.actor, conversationId);
    expect(participants.find(({ role }) => role === 'from')).toMatchObject({
      contactGuid: contact.guid,
      customerId: customer.id,
    });
  });

  test('from one of our own addresses makes no contact', async () => {
    await deliver({ headers: { From: `Us <${address}>`, To: 'ann@quark.example' } }, { to: address });
    expect(await prisma().externalContact.count({ where: { email: address } })).toBe(0);
  });
});

describe('threads', () => {
  async function twoMessages(second: (firstId: string) => Record<string, string>) {
    const id = testMessageId();
    const first = await deliver({ headers: { 'Message-ID': id, Subject: 'Same' } }, { to: address });
    const next = await deliver({ headers: { Subject: 'Same', ...second(id) } }, { to: address });
    return first.conversationId === next.conversationId;
  }

  test('follow In-Reply-To and References', async () => {
    expect(await twoMessages((id) => ({ 'In-Reply-To': id }))).toBe(true);
    expect(await twoMessages((id) => ({ References: `${testMessageId()} ${id} ${testMessageId()}` }))).toBe(true);
  });

  test('never follow a subject', async () => {
    expect(await twoMessages(() => ({ Subject: 'Re: Same' }))).toBe(false);
  });

  test('never follow an id nobody has sent', async () => {
    const unknown = testMessageId();
    const [one, other] = [
      await deliver({ headers: { 'In-Reply-To': unknown } }, { to: address }),
      await deliver({ headers: { 'In-Reply-To': unknown } }, { to: address }),
    ];
    expect(one.conversationId).not.toBe(other.conversationId);
  });

  test('never cross identities', async () => {
    await createTestIdentity({ address: 'other@there.example' });
    const id = testMessageId();
    const here = await deliver({ headers: { 'Message-ID': id } }, { to: address });
    const there = await deliver({ headers: { 'In-Reply-To': id } }, { to: 'other@there.example' });
    expect(there.identityId).not.toBe(here.identityId);
    expect(there.conversationId).not.toBe(here.conversationId);
  });

  test('bring a conversation back: pending, unread, out of the archive, and up in the list', async () => {
    const id = testMessageId();
    const { conversationId } = await deliver(
      { headers: { 'Message-ID': id } },
      { to: address, receivedAt: new Date('2026-01-01') },
    );
    await prisma().conversation.updateMany({
      where: { id: conversationId },
      data: { status: 'completed', isRead: true, isArchived: true },
    });
    await deliver({ headers: { 'In-Reply-To': id, Subject: 'Other words' }, body: 'One more thing' }, { to: address });
    const list = await listConversations(desk.actor, listConversationsInput.parse({ limit: 1 }));
    expect(list.conversations[0]).toMatchObject({
      id: conversationId,
      status: 'pending',
      isRead: false,
      isArchived: false,
      messageCount: 2,
      preview: 'One more thing',
      subject: 'A question',
    });
  });

  test('that turn out to be one become one; both ids lead there', async () => {
    const [first, second] = [testMessageId(), testMessageId()];
    const one = await deliver({ headers: { 'Message-ID': first, Cc: 'bob@quark.example' } }, { to: address });
    const other = await deliver({ headers: { 'Message-ID': second, From: 'Cem <cem@quark.example>' } }, { to: address });
    const last = await deliver({ headers: { References: `${first} ${second}` } }, { to: address });
    expect(last.conversationId).toBe(one.conversationId);
    const conversation = await getConversation(desk.actor, one.conversationId);
    expect(conversation.messageCount).toBe(3);
    expect(conversation.participants.map(({ email }) => email).sort()).toEqual([
      'ann@quark.example',
      'bob@quark.example',
      'cem@quark.example',
      address,
    ]);
    expect((await messagesOf(one.conversationId)).messages.map(({ id }) => id)).toEqual([
      one.messageId,
      other.messageId,
      last.messageId,
    ]);
    expect(await getConversation(desk.actor, other.conversationId)).toEqual(conversation);
    const total = (await listConversations(desk.actor, listConversationsInput.parse({}))).total;
    const counted = await prisma().conversation.count({
      where: { identityId: desk.identityId, isArchived: false, isSpam: false },
    });
    expect(total).toBe(counted);
  });

  /** Messages with random references to each other, and their order of arrival. */
  const exchange = fc.integer({ min: 2, max: 7 }).chain((size) =>
    fc.record({
      references: fc.array(fc.subarray([...Array(size).keys()], { maxLength: Math.min(3, size) }), {
        minLength: size,
        maxLength: size,
      }),
      order: fc.shuffledSubarray([...Array(size).keys()], { minLength: size, maxLength: size }),
      atOnce: fc.boolean(),
    }),
  );

  function componentsOf(references: number[][]): string {
    const group = references.map((_, index) => index);
    for (let round = 0; round < references.length; round++) {
      references.forEach((named, index) => {
        for (const other of named) {
          const lowest = Math.min(group[index] ?? 0, group[other] ?? 0);
          group[index] = lowest;
          group[other] = lowest;
        }
      });
    }
    return JSON.stringify(group);
  }

  test('are the same in whatever order their messages arrive', async () => {
    await fc.assert(
      fc.asyncProperty(exchange, async ({ references, order, atOnce }) => {
        const ids = references.map(testMessageId);
        const send = (index: number) =>
          deliver(
            {
              headers: {
                'Message-ID': ids[index],
                References: references[index]?.map((other) => ids[other]).join(' ') || undefined,
              },
            },
            { to: address },
          );
        if (atOnce) await Promise.all(order.map(send));
        else for (const index of order) await send(index);
        const stored = await prisma().message.findMany({
          where: { identityId: desk.identityId, messageIdHeader: { in: ids } },
          select: { messageIdHeader: true, conversationId: true },
        });
        const conversations = ids.map((id) => stored.find(({ messageIdHeader }) => messageIdHeader === id)?.conversationId);
        const groups = conversations.map((conversation) => conversations.indexOf(conversation));
        expect(JSON.stringify(groups)).toBe(componentsOf(references));
        const counts = await prisma().conversation.findMany({
          where: { id: { in: conversations.map((id) => id ?? '') } },
          select: { id: true, messageCount: true },
        });
        for (const { id, messageCount } of counts)
          expect(messageCount).toBe(conversations.filter((other) => other === id).length);
      }),
      { numRuns: 60 },
    );
  });
});
