import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { expect, test, vi } from 'vitest';
import { createAgent } from '@/server/features/agents/agent.service';
import { transaction } from '@/server/platform/db/transaction';
import { withFreshDatabase } from '@/server/testing/database';
import { createTestDesk } from '@/server/testing/desk';
import { eventsOf, type WholeEvent } from '@/server/testing/events';
import { deliver, mailBytes, receiveBytes, testMessageId } from '@/server/testing/mail';
import { updateConversationInput } from './conversation.schema';
import { getConversation, listMessages } from './conversation.service';
import { updateConversation } from './conversation-update.service';
import { recordDelivery } from './delivery.service';
import { listMessagesInput, messageListSchema, replyInput } from './message.schema';
import { replyTo } from './reply.service';

withFreshDatabase();

const realQuery = pg.Client.prototype.query;

type Desk = Awaited<ReturnType<typeof createTestDesk>>;

const typesOf = (events: WholeEvent[]) => events.map(({ type }) => type);
const mailActor = { type: 'system', id: null, name: null };

async function messageOf({ actor }: Desk, conversationId: string, messageId: string) {
  const list = await listMessages(actor, listMessagesInput.parse({ conversationId }));
  return messageListSchema.parse(list).messages.find(({ id }) => id === messageId);
}

async function conversationWith(desk: Desk, headers: Record<string, string> = {}) {
  const id = testMessageId();
  const stored = await deliver({ headers: { 'Message-ID': id, ...headers } }, { to: desk.address });
  return { ...stored, header: id };
}

const reply = (desk: Desk, conversationId: string, input: object = {}) =>
  replyTo(desk.actor, replyInput.parse({ conversationId, text: 'It does.', ...input }));

test('mail writes its conversation and its message, as they are read right afterwards', async () => {
  const desk = await createTestDesk();
  const agent = await createAgent(desk.actor, { name: 'Night shift', roleId: 'night-shift', kind: 'assistant' });
  let stored = { conversationId: '', messageId: '' };
  const events = await eventsOf(desk, async () => {
    const to = [desk.address, `night-shift@${desk.domain}`];
    stored = await deliver({ headers: { Cc: 'Bob <bob@quark.example>' } }, { to });
  });
  expect(typesOf(events)).toEqual(['conversation.created', 'message.received']);
  const [conversation, message] = events;
  expect(conversation).toMatchObject({ actor: mailActor, object: { id: stored.conversationId, version: 1 } });
  expect(conversation?.data).toEqual({ object: await getConversation(desk.actor, stored.conversationId) });
  expect(conversation?.data.object).toMatchObject({ assignedAgents: [{ id: agent.id }], messageCount: 1 });
  expect(message?.data).toEqual({ object: await messageOf(desk, stored.conversationId, stored.messageId) });
  expect(message?.object).toEqual({ type: 'message', id: stored.messageId, version: 1 });
});

test('what becomes of a message that is gone is no event', async () => {
  const desk = await createTestDesk();
  const sent = () =>
    transaction(desk.actor, (client) => recordDelivery(client, desk.identityId, randomUUID(), 'sent', new Date()));
  expect(await eventsOf(desk, sent)).toEqual([]);
});

test('an answer changes the conversation it belongs to', async () => {
  const desk = await createTestDesk();
  const { conversationId, header } = await conversationWith(desk);
  await updateConversation(desk.actor, { conversationId, isRead: true, status: 'completed' });
  const before = await getConversation(desk.actor, conversationId);
  const events = await eventsOf(desk, () =>
    deliver({ headers: { 'In-Reply-To': header, From: 'Cleo <cleo@quark.example>' }, body: 'And now?' }, { to: desk.address }),
  );
  expect(typesOf(events)).toEqual(['message.received', 'conversation.updated']);
  const after = await getConversation(desk.actor, conversationId);
  const { preview, status, isRead, lastMessageAt, counterpart, messageCount, participants, revision, updatedAt } = before;
  const changed = { preview, status, isRead, lastMessageAt, counterpart, messageCount, participants, revision, updatedAt };
  expect(events[1]?.data).toEqual({
    object: after,
    previousAttributes: { ...changed, waitingSince: before.waitingSince },
  });
});

test('the same message again writes nothing, unless it is for more people here', async () => {
  const desk = await createTestDesk();
  await createAgent(desk.actor, { name: 'Night shift', roleId: 'night-shift', kind: 'assistant' });
  const bytes = mailBytes();
  await receiveBytes(bytes, { to: desk.address });
  expect(await eventsOf(desk, () => receiveBytes(bytes, { to: desk.address }))).toEqual([]);
  const events = await eventsOf(desk, () => receiveBytes(bytes, { to: `night-shift@${desk.domain}` }));
  expect(typesOf(events)).toEqual(['conversation.updated']);
  expect(Object.keys(events[0]?.data.previousAttributes ?? {})).toEqual(['participants', 'assignedAgents']);
});

test('conversations that become one are told of, each by its own id', async () => {
  const desk = await createTestDesk();
  const first = await conversationWith(desk);
  const second = await conversationWith(desk, { Subject: 'Another question' });
  const before = await getConversation(desk.actor, second.conversationId);
  const references = `${first.header} ${second.header}`;
  const events = await eventsOf(desk, () => deliver({ headers: { References: references } }, { to: desk.address }));
  expect(typesOf(events)).toEqual(['message.received', 'conversation.updated', 'conversation.updated']);
  const survivor = await getConversation(desk.actor, first.conversationId);
  const ofConversations = events.filter(({ object }) => object.type === 'conversation');
  expect(new Set(ofConversations.map(({ object }) => object.id))).toEqual(new Set([first.conversationId, second.conversationId]));
  for (const { data } of ofConversations) expect(data.object).toEqual(survivor);
  const merged = ofConversations.find(({ object }) => object.id === second.conversationId);
  expect(merged?.data.previousAttributes).toMatchObject({ id: before.id, subject: 'Another question' });
});

test('a message that joins very many conversations tells of all, in statements of bounded size', async () => {
  const desk = await createTestDesk();
  const header = testMessageId();
  const count = 130;
  for (let index = 0; index < count; index++) {
    await deliver({ headers: { References: header, Subject: `Part ${index}` } }, { to: desk.address });
    // They answer a message that has not come yet, so each begins a conversation.
  }
  const sizes: number[] = [];
  const query = vi.spyOn(pg.Client.prototype, 'query');
  query.mockImplementation(function (this: pg.Client, ...given: unknown[]) {
    const [statement] = given as [{ name?: string; values?: string[] }];
    if (statement.name === 'event-emit') sizes.push((JSON.parse(statement.values?.[1] ?? '[]') as unknown[]).length);
    return Reflect.apply(realQuery, this, given);
  } as never);
  const events = await eventsOf(desk, () => deliver({ headers: { 'Message-ID': header } }, { to: desk.address }));
  query.mockRestore();
  expect(events.filter(({ object }) => object.type === 'conversation')).toHaveLength(count);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(count + 1);
  expect(Math.max(...sizes)).toBeLessThanOrEqual(100);
});

test('a change by its owner is that of its fields; one of nothing is none', async () => {
  const desk = await createTestDesk();
  const { conversationId } = await conversationWith(desk);
  const change = (input: object) => updateConversation(desk.actor, updateConversationInput.parse({ conversationId, ...input }));
  const before = await getConversation(desk.actor, conversationId);
  const [event, ...others] = await eventsOf(desk, () => change({ isArchived: true, status: 'completed' }));
  expect(others).toEqual([]);
  expect(event).toMatchObject({ type: 'conversation.updated', actor: { type: 'user', id: desk.owner.userId } });
  const { status, isArchived, revision, updatedAt, waitingSince } = before;
  expect(event?.data).toEqual({
    object: await getConversation(desk.actor, conversationId),
    previousAttributes: { status, isArchived, revision, updatedAt, waitingSince },
  });
  expect(await eventsOf(desk, () => change({ isArchived: true }))).toEqual([]);
  expect(await eventsOf(desk, () => change({}))).toEqual([]);
});

test('a reply is queued by whoever wrote it, sent by the system', async () => {
  const desk = await createTestDesk();
  const { conversationId } = await conversationWith(desk);
  let id = '';
  const queued = await eventsOf(desk, async () => {
    ({ id } = await replyTo(desk.apiKeyActor, replyInput.parse({ conversationId, text: 'It does.', to: ['ann@quark.example'] })));
  });
  expect(typesOf(queued)).toEqual(['message.queued', 'conversation.updated']);
  for (const { actor } of queued) expect(actor).toMatchObject({ type: 'api_key', id: desk.apiKeyActor.apiKeyId });
  expect(queued[0]?.data).toEqual({ object: await messageOf(desk, conversationId, id) });
  expect(queued[1]?.data.object).toEqual(await getConversation(desk.actor, conversationId));
  expect(queued[1]?.data.previousAttributes).toMatchObject({ status: 'pending', messageCount: 1, isRead: false });

  const record = (outcome: 'sent' | 'failed' | 'queued') =>
    eventsOf(desk, () =>
      transaction({ kind: 'system', cause: 'delivery' }, (client) =>
        recordDelivery(client, desk.identityId, id, outcome, new Date()),
      ),
    );
  const sent = await record('sent');
  expect(typesOf(sent)).toEqual(['message.sent']);
  expect(sent[0]).toMatchObject({ actor: mailActor, data: { previousAttributes: { status: 'queued', sentAt: null } } });
  expect(sent[0]?.data.object).toEqual(await messageOf(desk, conversationId, id));
  const failed = await record('failed');
  expect(typesOf(failed)).toEqual(['message.failed', 'conversation.updated']);
  expect(failed[0]?.data.previousAttributes).toEqual({ status: 'sent' });
  expect(failed[1]?.data.previousAttributes).toMatchObject({ status: 'waiting_customer' });
  expect(failed[1]?.data.object).toEqual(await getConversation(desk.actor, conversationId));
  expect(typesOf(await record('queued'))).toEqual(['message.queued', 'conversation.updated']);
  // Nothing changes any more.
  expect(await record('queued')).toEqual([]);
});

test('a reply that is refused writes nothing', async () => {
  const desk = await createTestDesk();
  const { conversationId } = await conversationWith(desk);
  expect(
    await eventsOf(desk, () => expect(reply(desk, conversationId, { from: 'x@foreign.example' })).rejects.toThrow()),
  ).toEqual([]);
  const { id } = await reply(desk, conversationId);
  const rolledBack = () =>
    transaction(desk.actor, async (client) => {
      await recordDelivery(client, desk.identityId, id, 'sent', new Date());
      throw new Error('rolled back');
    });
  expect(await eventsOf(desk, () => expect(rolledBack()).rejects.toThrow('rolled back'))).toEqual([]);
});

test('a message over 20 kB is linked to the messages of its conversation', async () => {
  const desk = await createTestDesk();
  let conversationId = '';
  const events = await eventsOf(desk, async () => {
    ({ conversationId } = await deliver({ body: 'word '.repeat(5_000) }, { to: desk.address }));
  });
  const url = `http://localhost:3000/api/v1/conversations/${conversationId}/messages`;
  expect(events[1]).toMatchObject({ type: 'message.received', data: { truncated: true, url } });
});
