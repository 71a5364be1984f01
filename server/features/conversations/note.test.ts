import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { createAgent } from '@/server/features/agents/agent.service';
import type { IdentityActor } from '@/server/platform/actor';
import { prisma } from '@/server/platform/db/prisma';
import { withFreshDatabase } from '@/server/testing/database';
import { createTestDesk } from '@/server/testing/desk';
import { eventsOf } from '@/server/testing/events';
import { deliver, testMessageId } from '@/server/testing/mail';
import { addTestMember } from '@/server/testing/team';
import { getConversation } from './conversation.service';
import { type AddNoteInput, addNoteInput, listNotesInput, notesMaximum } from './note.schema';
import { addNote, listNotes } from './note.service';

withFreshDatabase();

type Desk = Awaited<ReturnType<typeof createTestDesk>>;

const add = (actor: IdentityActor, input: AddNoteInput, at?: Date) => addNote(actor, addNoteInput.parse(input), at);
const list = (actor: IdentityActor, input: object) => listNotes(actor, listNotesInput.parse(input));
const conversationOf = async ({ address }: Desk) => (await deliver({}, { to: address })).conversationId;

test('a note names its author and the members it mentions, in the answer, the list and the event', async () => {
  const desk = await createTestDesk();
  const conversationId = await conversationOf(desk);
  const [jo, mara] = [await addTestMember(desk, 'member', 'Jo Harbor'), await addTestMember(desk, 'admin', 'Mara Lane')];
  const mentions = [mara.actor.userId, mara.actor.userId.toUpperCase()];
  const events = await eventsOf(desk, () => add(jo.actor, { conversationId, text: '@Mara Lane, do we have it?', mentions }));

  const { notes, total } = await list(desk.actor, { conversationId });
  expect(total).toBe(1);
  expect(notes).toEqual([
    expect.objectContaining({
      ...{ conversationId, identityId: desk.identityId, text: '@Mara Lane, do we have it?' },
      author: { type: 'user', id: jo.actor.userId, name: 'Jo Harbor' },
      mentions: [{ userId: mara.actor.userId, name: 'Mara Lane' }],
    }),
  ]);
  expect(events).toEqual([
    expect.objectContaining({
      type: 'conversation.note.created',
      actor: { type: 'user', id: jo.actor.userId, name: 'Jo Harbor' },
      data: { object: notes[0] },
    }),
  ]);
});

test('an agent and a program write notes under the name they have then; a person under that of today', async () => {
  const desk = await createTestDesk();
  const conversationId = await conversationOf(desk);
  const { id, name } = await createAgent(desk.actor, { name: 'Night shift', roleId: 'night-shift', kind: 'assistant' });
  const key = { ...desk.apiKeyActor, apiKeyId: randomUUID() };
  await add({ ...key, agent: { id, name, status: 'active' } }, { conversationId, text: 'By an agent' });
  await add({ ...key, name: 'Sync', agent: null }, { conversationId, text: 'By a program' });
  const jo = await addTestMember(desk, 'member');
  await add(jo.actor, { conversationId, text: 'By a person' });
  await prisma().user.update({ where: { id: jo.actor.userId }, data: { displayName: 'Jo' } });

  const { notes } = await list(desk.actor, { conversationId });
  expect(notes.map(({ author }) => author)).toEqual([
    { type: 'user', id: jo.actor.userId, name: 'Jo' },
    { type: 'api_key', id: key.apiKeyId, name: 'Sync' },
    { type: 'agent', id, name: 'Night shift' },
  ]);
});

test('lists page from the newest to the oldest', async () => {
  const desk = await createTestDesk();
  const conversationId = await conversationOf(desk);
  for (const minute of [1, 2, 3]) {
    await add(desk.actor, { conversationId, text: `${minute}` }, new Date(Date.UTC(2026, 10, 21, 9, minute)));
  }
  const first = await list(desk.actor, { conversationId, limit: 2 });
  expect(first).toMatchObject({ notes: [{ text: '3' }, { text: '2' }], total: 3, hasMore: true });
  const second = await list(desk.actor, { conversationId, limit: 2, cursor: first.nextCursor });
  expect(second).toMatchObject({ notes: [{ text: '1' }], total: 3, hasMore: false, nextCursor: null });
});

test.each([
  ['an empty text', { text: ' \n' }, 'text'],
  ['too long a text', { text: 'x'.repeat(10_001) }, 'text'],
  ['what is no id', { text: 'x', mentions: ['mara'] }, 'mentions'],
])('refuses %s', (_name, input, field) => {
  const { error } = addNoteInput.safeParse({ conversationId: randomUUID(), ...input });
  expect(error?.issues[0]?.path[0]).toBe(field);
});

test('refuses to mention people who are no members, and writes nothing', async () => {
  const [desk, other] = [await createTestDesk(), await createTestDesk()];
  const conversationId = await conversationOf(desk);
  const mentions = [desk.owner.userId, other.owner.userId];
  await expect(add(desk.actor, { conversationId, text: 'x', mentions })).rejects.toMatchObject({
    code: 'invalid_request',
    details: { fields: { 'mentions.1': 'is not a member' } },
  });
  expect((await list(desk.actor, { conversationId })).total).toBe(0);
});

test('refuses conversations of other businesses', async () => {
  const [desk, other] = [await createTestDesk(), await createTestDesk()];
  const conversationId = await conversationOf(other);
  await expect(add(desk.actor, { conversationId, text: 'x' })).rejects.toMatchObject({ code: 'not_found' });
  await expect(list(desk.actor, { conversationId })).rejects.toMatchObject({ code: 'not_found' });
});

test('notes of a conversation that is merged move along, and its id still leads to them', async () => {
  const desk = await createTestDesk();
  const [first, second] = [testMessageId(), testMessageId()];
  const mail = (headers: Record<string, string>) => deliver({ headers }, { to: desk.address });
  const one = await mail({ 'Message-ID': first });
  const two = await mail({ 'Message-ID': second });
  await add(desk.actor, { conversationId: one.conversationId, text: 'On the first' });
  await add(desk.actor, { conversationId: two.conversationId, text: 'On the second' });
  await mail({ References: `${first} ${second}`, 'In-Reply-To': second });
  for (const { conversationId } of [one, two]) {
    const { notes } = await list(desk.actor, { conversationId });
    expect(notes.map(({ text }) => text)).toEqual(['On the second', 'On the first']);
  }
});

test('a conversation has a thousand notes at most, also where many are added at once', async () => {
  const desk = await createTestDesk();
  const conversationId = await conversationOf(desk);
  await prisma().conversationNote.createMany({
    data: Array.from({ length: notesMaximum - 1 }, (_, index) => ({
      ...{
        identityId: desk.identityId,
        conversationId,
        text: `${index}`,
        authorType: 'user' as const,
        authorId: desk.owner.userId,
      },
    })),
  });
  const added = await Promise.allSettled(Array.from({ length: 5 }, () => add(desk.actor, { conversationId, text: 'x' })));
  expect(added.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  expect((await list(desk.actor, { conversationId, limit: 1 })).total).toBe(notesMaximum);
});

test('a note changes nothing that the conversation answers but that and when it was updated', async () => {
  const desk = await createTestDesk();
  const conversationId = await conversationOf(desk);
  const before = await getConversation(desk.actor, conversationId);
  await add(desk.actor, { conversationId, text: 'x' });
  const after = await getConversation(desk.actor, conversationId);
  expect(after).toEqual({ ...before, revision: before.revision + 1, updatedAt: after.updatedAt });
});
