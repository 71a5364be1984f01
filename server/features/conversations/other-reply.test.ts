import { beforeEach, describe, expect, test } from 'vitest';
import { createAgent } from '@/server/features/agents/agent.service';
import type { ApiKeyActor, IdentityActor } from '@/server/platform/actor';
import { prisma } from '@/server/platform/db/prisma';
import { withFreshDatabase } from '@/server/testing/database';
import { createTestDesk } from '@/server/testing/desk';
import { deliver } from '@/server/testing/mail';
import { addTestMember, type TestMember } from '@/server/testing/team';
import { getConversation } from './conversation.service';
import { type ReplyInput, replyInput } from './message.schema';
import { replyTo } from './reply.service';

withFreshDatabase();

let desk: Awaited<ReturnType<typeof createTestDesk>>;
let mara: TestMember;
let tom: TestMember;
let conversationId: string;
let seenUntil: string;

beforeEach(async () => {
  desk = await createTestDesk();
  mara = await addTestMember(desk, 'member', 'Mara');
  tom = await addTestMember(desk, 'member');
  ({ conversationId } = await deliver({}, { to: desk.address }));
  seenUntil = (await getConversation(desk.actor, conversationId)).lastMessageAt;
});

const reply = (actor: IdentityActor, input: Partial<ReplyInput> = {}) =>
  replyTo(actor, replyInput.parse({ conversationId, text: 'Yes.', ...input }));

const sent = () => prisma().message.count({ where: { conversationId, direction: 'outbound' } });

describe('a reply', () => {
  test('is refused after another author has answered what its author has not seen', async () => {
    const theirs = await reply(mara.actor, { seenUntil });
    await expect(reply(tom.actor, { seenUntil })).rejects.toMatchObject({
      code: 'conflict',
      message: 'Mara answered this conversation after you opened it. Read the answer first.',
      details: {
        messageId: theirs.id,
        answeredAt: theirs.createdAt,
        answeredBy: { type: 'member', id: mara.actor.userId, name: 'Mara' },
      },
    });
    expect(await sent()).toBe(1);
    expect(await prisma().outboxMail.count({ where: { messageId: { not: null }, identityId: desk.identityId } })).toBe(1);
  });

  test('is sent by who has read the answer, wants it anyway, or never said what they have seen', async () => {
    const theirs = await reply(mara.actor);
    await reply(tom.actor, { seenUntil: theirs.createdAt });
    await reply(desk.actor, { seenUntil, evenIfAnswered: true });
    await reply(desk.actor);
    expect(await sent()).toBe(4);
  });

  test('is not held up by its author’s own', async () => {
    await reply(mara.actor, { seenUntil });
    await reply(mara.actor, { seenUntil });
    await deliver({}, { to: desk.address });
    expect(await sent()).toBe(2);
  });

  test('of ten people at once is sent once', async () => {
    const people = await Promise.all(Array.from({ length: 10 }, () => addTestMember(desk, 'member')));
    const outcomes = await Promise.allSettled(people.map(({ actor }) => reply(actor, { seenUntil })));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ code: 'conflict' });
    }
    expect(await sent()).toBe(1);
    const anyway = await Promise.all(people.map(({ actor }) => reply(actor, { seenUntil, evenIfAnswered: true })));
    expect(new Set(anyway.map(({ id }) => id)).size).toBe(10);
  });
});

describe('the key of an agent', () => {
  let ofAgent: ApiKeyActor;
  beforeEach(async () => {
    const { id, name } = await createAgent(desk.actor, { name: 'Night shift', roleId: 'night-shift', kind: 'assistant' });
    ofAgent = { ...desk.apiKeyActor, agent: { id, name, status: 'active' } };
  });
  const agentId = () => ofAgent.agent?.id ?? null;

  test('is an author like a person', async () => {
    await reply(ofAgent, { agentId: agentId(), seenUntil });
    await reply(ofAgent, { agentId: agentId(), seenUntil });
    const refused = { code: 'conflict', details: { answeredBy: { type: 'agent', id: agentId(), name: 'Night shift' } } };
    await expect(reply(mara.actor, { seenUntil })).rejects.toMatchObject(refused);
    await reply(mara.actor, { seenUntil, evenIfAnswered: true });
    await expect(reply(ofAgent, { agentId: agentId(), seenUntil })).rejects.toMatchObject({
      details: { answeredBy: { name: 'Mara' } },
    });
  });

  test('is another author than a program without an agent, whose replies have no name', async () => {
    await reply(desk.apiKeyActor, { seenUntil });
    await reply(desk.apiKeyActor, { seenUntil });
    const refused = { message: expect.stringMatching(/^Someone answered/), details: { answeredBy: null } };
    await expect(reply(ofAgent, { agentId: agentId(), seenUntil })).rejects.toMatchObject(refused);
    await expect(reply(mara.actor, { seenUntil })).rejects.toMatchObject(refused);
  });

  test('and a person who answers as the agent are told apart', async () => {
    await reply(mara.actor, { agentId: agentId(), seenUntil });
    await expect(reply(ofAgent, { agentId: agentId(), seenUntil })).rejects.toMatchObject({
      details: { answeredBy: { name: 'Mara' } },
    });
  });
});
