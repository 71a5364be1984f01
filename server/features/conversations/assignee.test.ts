import { beforeEach, describe, expect, test } from 'vitest';
import { createAgent, updateAgent } from '@/server/features/agents/agent.service';
import { removeMember } from '@/server/features/team/member.service';
import type { IdentityActor } from '@/server/platform/actor';
import { prisma } from '@/server/platform/db/prisma';
import { queryAsOwner, withFreshDatabase } from '@/server/testing/database';
import { createTestDesk } from '@/server/testing/desk';
import { eventsOf } from '@/server/testing/events';
import { createTestIdentity } from '@/server/testing/identity';
import { findJob } from '@/server/testing/jobs';
import { deliver, testMessageId } from '@/server/testing/mail';
import { addTestMember, type TestMember } from '@/server/testing/team';
import { unassignFormerMembers, unassignMember } from './assignee';
import { listConversationsInput, updateConversationInput } from './conversation.schema';
import { getConversation, listConversations } from './conversation.service';
import { updateConversation } from './conversation-update.service';

withFreshDatabase();

const nowhere = '0199f3b2-6c1e-7a40-9a3e-0c1f2d3e4f50';

let desk: Awaited<ReturnType<typeof createTestDesk>>;
let mara: TestMember;
let agentId: string;
let conversationId: string;

beforeEach(async () => {
  desk = await createTestDesk();
  mara = await addTestMember(desk, 'member', ' Mara ');
  agentId = (await createAgent(desk.actor, { name: 'Night shift', roleId: 'night-shift', kind: 'assistant' })).id;
  ({ conversationId } = await deliver({}, { to: desk.address }));
});

const assign = (assignee: object | null, id = conversationId) =>
  updateConversation(desk.actor, updateConversationInput.parse({ conversationId: id, assignee }));

const member = ({ actor }: TestMember) => ({ type: 'member', id: actor.userId });
const agent = () => ({ type: 'agent', id: agentId });

describe('a conversation', () => {
  test('is assigned to a member or an agent, or unassigned', async () => {
    const unassigned = await getConversation(desk.actor, conversationId);
    expect(unassigned.assignee).toBeNull();
    const ofMara = { ...member(mara), name: 'Mara' };
    expect((await assign(member(mara))).assignee).toEqual(ofMara);
    expect((await desk.list()).conversations[0]?.assignee).toEqual(ofMara);
    expect((await assign(agent())).assignee).toEqual({ ...agent(), name: 'Night shift' });
    expect((await assign(null)).assignee).toBeNull();
    const { revision, updatedAt, ...rest } = await getConversation(desk.actor, conversationId);
    expect({ ...rest, revision: revision - 3, updatedAt: '' }).toEqual({ ...unassigned, updatedAt: '' });
  });

  test('names a member without a name by their address, and never shows the address', async () => {
    const nameless = await addTestMember(desk, 'viewer');
    expect((await assign(member(nameless))).assignee?.name).toBe(nameless.email.split('@')[0]);
  });

  test('tells of a change of its assignee, and of none', async () => {
    const events = await eventsOf(desk, () => assign(member(mara)));
    expect(events.map(({ type }) => type)).toEqual(['conversation.updated']);
    expect(events[0]?.data.object.assignee).toEqual({ ...member(mara), name: 'Mara' });
    expect(events[0]?.data.previousAttributes).toMatchObject({ assignee: null });
    // As a program sends back what it has read.
    const { assignee } = await getConversation(desk.actor, conversationId);
    expect(await eventsOf(desk, () => assign(assignee))).toEqual([]);
    expect((await eventsOf(desk, () => assign(null)))[0]?.data.previousAttributes).toMatchObject({ assignee });
    const entries = await queryAsOwner<{ field: string }>(
      `SELECT jsonb_object_keys(after) AS field FROM audit_entries WHERE identity_id = $1 AND resource = 'conversation' AND action = 'updated'`,
      [desk.identityId],
    );
    expect(entries).toEqual([{ field: 'assignee_user_id' }, { field: 'assignee_user_id' }]);
  });

  test('is refused one that is not of the business, or not at work, and stays as it is', async () => {
    const stranger = await createTestIdentity();
    const theirs = await createAgent(stranger.actor, { name: 'Theirs', roleId: 'theirs', kind: 'assistant' });
    await updateAgent(desk.actor, { agentId, status: 'paused' });
    const before = await getConversation(desk.actor, conversationId);
    for (const assignee of [
      { type: 'member', id: nowhere },
      { type: 'member', id: stranger.actor.userId },
      { type: 'member', id: agentId },
      { type: 'agent', id: theirs.id },
      { type: 'agent', id: mara.actor.userId },
      agent(),
    ]) {
      const refusal = { code: 'invalid_request', details: { fields: { 'assignee.id': expect.any(String) } } };
      await expect(assign(assignee)).rejects.toMatchObject(refusal);
    }
    expect(await getConversation(desk.actor, conversationId)).toEqual(before);
  });

  test('keeps an agent that is paused later, also where it is sent back', async () => {
    const { assignee } = await assign(agent());
    await updateAgent(desk.actor, { agentId, status: 'paused' });
    expect((await assign(assignee)).assignee).toEqual(assignee);
  });

  test('has no assignee any more when the membership or the agent goes', async () => {
    const second = await deliver({}, { to: desk.address });
    await assign(member(mara));
    await assign(agent(), second.conversationId);
    await removeMember(desk.actor, mara.actor.userId);
    await queryAsOwner('DELETE FROM agents WHERE id = $1', [agentId]);
    expect((await getConversation(desk.actor, conversationId)).assignee).toBeNull();
    expect((await getConversation(desk.actor, second.conversationId)).assignee).toBeNull();
  });

  test('is listed as unassigned once the job of an ended membership has run, which may run again', async () => {
    await assign(member(mara));
    await removeMember(desk.actor, mara.actor.userId);
    // Ending a membership changes no conversations: they may be many.
    const stored = await prisma().conversation.count({
      where: { identityId: desk.identityId, assigneeUserId: mara.actor.userId },
    });
    expect(stored).toBe(1);
    const job = await findJob<{ identityId: string; userId: string }>(unassignMember, `${desk.identityId}:${mara.actor.userId}`);
    expect(job?.payload).toEqual({ identityId: desk.identityId, userId: mara.actor.userId });
    for (let run = 0; run < 2; run++) await unassignFormerMembers(job?.payload ?? null);
    const { conversations } = await listConversations(desk.actor, listConversationsInput.parse({ assignee: 'none' }));
    expect(conversations.map(({ id }) => id)).toContain(conversationId);
  });

  test('stays with a person who is a member', async () => {
    await assign(member(mara));
    await unassignFormerMembers({ identityId: desk.identityId, userId: mara.actor.userId });
    await unassignFormerMembers(null);
    expect((await getConversation(desk.actor, conversationId)).assignee?.id).toBe(mara.actor.userId);
  });

  test('has the last assignee of two that are set at the same time, and both answers have one of them', async () => {
    const answers = await Promise.all([assign(member(mara)), assign(agent())]);
    const { assignee } = await getConversation(desk.actor, conversationId);
    expect(answers.map((answer) => answer.assignee?.id).sort()).toEqual([mara.actor.userId, agentId].sort());
    expect(answers.map((answer) => answer.assignee)).toContainEqual(assignee);
  });

  test('is not assigned to a member who is removed at the same time', async () => {
    const [outcome] = await Promise.allSettled([assign(member(mara)), removeMember(desk.actor, mara.actor.userId)]);
    if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ code: 'invalid_request' });
    expect((await getConversation(desk.actor, conversationId)).assignee).toBeNull();
  });
});

describe('conversations that become one', () => {
  async function pair() {
    const ids = [testMessageId(), testMessageId()] as const;
    const first = await deliver({ headers: { 'Message-ID': ids[0] } }, { to: desk.address });
    const second = await deliver({ headers: { 'Message-ID': ids[1] } }, { to: desk.address });
    const join = () => deliver({ headers: { References: ids.join(' ') } }, { to: desk.address });
    return { first: first.conversationId, second: second.conversationId, join };
  }

  test('keep the assignee of the one that remains', async () => {
    const { first, second, join } = await pair();
    await assign(member(mara), first);
    await assign(agent(), second);
    await join();
    expect((await getConversation(desk.actor, second)).assignee?.id).toBe(mara.actor.userId);
  });

  test('have that of the other one where it has none', async () => {
    const { first, second, join } = await pair();
    await assign(agent(), second);
    await join();
    expect((await getConversation(desk.actor, first)).assignee?.id).toBe(agentId);
  });
});

describe('the list', () => {
  const listOf = async (actor: IdentityActor, filter: object) => {
    const { conversations, total } = await listConversations(actor, listConversationsInput.parse(filter));
    expect(total).toBe(conversations.length);
    return conversations.map(({ id }) => id);
  };

  test('shows by assignee', async () => {
    const [second, third] = [await deliver({}, { to: desk.address }), await deliver({}, { to: desk.address })];
    await assign(member(mara));
    await assign(agent(), second.conversationId);
    const ofAgent = { ...desk.apiKeyActor, agent: { id: agentId, name: 'Night shift', status: 'active' as const } };
    expect(await listOf(desk.actor, { assignee: 'none' })).toEqual([third.conversationId]);
    expect(await listOf(desk.actor, { assignee: mara.actor.userId.toUpperCase() })).toEqual([conversationId]);
    expect(await listOf(desk.actor, { assignee: agentId })).toEqual([second.conversationId]);
    expect(await listOf(desk.actor, { assignee: nowhere })).toEqual([]);
    expect(await listOf(desk.actor, { assignee: 'me' })).toEqual([]);
    expect(await listOf(mara.actor, { assignee: 'me' })).toEqual([conversationId]);
    expect(await listOf(mara.actor, { assignee: 'me', isRead: true })).toEqual([]);
    expect(await listOf(ofAgent, { assignee: 'me' })).toEqual([second.conversationId]);
    await updateConversation(desk.actor, { conversationId, isArchived: true });
    expect(await listOf(mara.actor, { assignee: 'me' })).toEqual([]);
    expect(await listOf(mara.actor, { assignee: 'me', folder: 'archived' })).toEqual([conversationId]);
    expect(await listOf(mara.actor, { assignee: 'me', isArchived: true, isSpam: true })).toEqual([conversationId]);
  });

  test('knows no “me” for an ordinary key', async () => {
    await expect(listOf(desk.apiKeyActor, { assignee: 'me' })).rejects.toMatchObject({
      code: 'invalid_request',
      details: { fields: { assignee: expect.any(String) } },
    });
  });

  test.each(['', 'nobody', 'ME'])('refuses the assignee %j', (assignee) => {
    expect(listConversationsInput.safeParse({ assignee }).success).toBe(false);
  });

  test('by assignee is one range of an index, however long it is', async () => {
    const ids = [desk.identityId, mara.actor.userId, agentId];
    await queryAsOwner(
      `INSERT INTO conversations (id, identity_id, subject, preview, counterpart_email, last_message_at, is_archived, assignee_user_id,
          assignee_agent_id)
        SELECT gen_random_uuid(), $1, '', '', '', now() - make_interval(mins => n), n % 3 = 0, CASE WHEN n % 4 > 0 THEN $2::uuid END,
          CASE WHEN n % 4 = 0 AND n % 40 > 0 THEN $3::uuid END
        FROM generate_series(1, 5000) n`,
      ids,
    );
    await queryAsOwner('ANALYZE conversations');
    const inbox = 'NOT c.is_archived AND NOT c.is_spam AND NOT c.is_trashed';
    const conditions = {
      conversations_assignee_user_idx: `c.assignee_user_id = '${mara.actor.userId}' AND ${inbox}`,
      conversations_assignee_agent_idx: `c.assignee_agent_id = '${agentId}' AND c.is_archived AND NOT c.is_spam AND NOT c.is_trashed`,
      conversations_unassigned_idx: `c.assignee_user_id IS NULL AND c.assignee_agent_id IS NULL AND ${inbox}`,
    };
    for (const [index, condition] of Object.entries(conditions)) {
      const plan = await queryAsOwner<{ 'QUERY PLAN': string }>(
        `EXPLAIN (COSTS OFF) SELECT * FROM conversations c WHERE c.identity_id = '${desk.identityId}' AND ${condition}
          ORDER BY c.last_message_at DESC, c.id DESC LIMIT 20`,
      );
      const text = plan.map((line) => line['QUERY PLAN']).join('\n');
      expect(text).toContain(`Index Scan Backward using ${index}`);
      expect(text).not.toMatch(/Sort|Filter/);
    }
    const unassigned = await listConversations(desk.actor, listConversationsInput.parse({ assignee: 'none' }));
    expect(unassigned).toMatchObject({ total: 1 + 84, hasMore: true });
  });
});
