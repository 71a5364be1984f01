import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { createAgent } from '@/server/features/agents/agent.service';
import { updateEscalationInput } from '@/server/features/agents/escalation.schema';
import { updateEscalation } from '@/server/features/agents/escalation.service';
import { updateConversation } from '@/server/features/conversations/conversation-update.service';
import { recordDelivery } from '@/server/features/conversations/delivery.service';
import { replyInput } from '@/server/features/conversations/message.schema';
import { replyTo } from '@/server/features/conversations/reply.service';
import { resendMail } from '@/server/features/mail/outbox-list.service';
import type { IdentityActor, SessionActor } from '@/server/platform/actor';
import { prisma } from '@/server/platform/db/prisma';
import { transaction } from '@/server/platform/db/transaction';
import { withFreshDatabase } from '@/server/testing/database';
import { createTestDesk } from '@/server/testing/desk';
import { bounceMail, deliver } from '@/server/testing/mail';
import { notificationsOf } from '@/server/testing/notifications';
import { addTestMember } from '@/server/testing/team';
import { notifyAssigned, notifyMentioned } from './notification-causes.service';

withFreshDatabase();

type PersonActor = SessionActor & IdentityActor;

/** A business with a member of each role and a conversation. */
async function createTeam() {
  const desk = await createTestDesk();
  const add = async (role: 'admin' | 'member' | 'viewer') => (await addTestMember(desk, role, 'Ann')).actor;
  const [admin, member, viewer] = [await add('admin'), await add('member'), await add('viewer')];
  const { conversationId } = await deliver({}, { to: desk.address });
  const everybody: Record<string, PersonActor> = { owner: desk.actor, admin, member, viewer };
  /** The titles that each role was told. */
  const told = async () => {
    const found = Object.entries(everybody).map(async ([name, actor]) => [
      name,
      (await notificationsOf(actor)).map(({ title }) => title),
    ]);
    return Object.fromEntries((await Promise.all(found)).filter(([, titles]) => titles?.length)) as Record<string, string[]>;
  };
  const { id: agentId } = await createAgent(desk.actor, { name: 'Milo', roleId: 'milo', kind: 'assistant' });
  const agent = { ...desk.apiKeyActor, agent: { id: agentId, name: 'Milo', status: 'active' as const } };
  const ask = (actor: IdentityActor = agent) => updateConversation(actor, { conversationId, status: 'waiting_human' });
  const route = (...routes: object[]) => updateEscalation(desk.actor, updateEscalationInput.parse({ agentId, routes }));
  return { ...desk, desk, admin, member, viewer, conversationId, told, ask, route };
}

describe('an agent that needs a person', () => {
  const title = 'Milo needs you: A question';

  test('reaches the owners, if its routes name no member', async () => {
    const { ask, told, route } = await createTeam();
    await ask();
    expect(await told()).toEqual({ owner: [title] });
    await route({ level: 0, toUserId: 'u-1', toRole: 'lead' }, { level: 1, toRole: 'member' });
    await ask();
    expect(await told()).toEqual({ owner: [title] });
  });

  test('reaches the member and the roles of its first level', async () => {
    const { ask, told, route, member } = await createTeam();
    await route({ level: 1, toUserId: member.userId.toUpperCase() }, { level: 2, toRole: 'viewer' });
    await ask();
    expect(await told()).toEqual({ member: [title] });
  });

  test('reaches a role in any case', async () => {
    const { ask, told, route } = await createTeam();
    await route({ level: 0, toRole: ' Admin' });
    await ask();
    expect(await told()).toEqual({ admin: [title] });
  });

  test('may ask again, once the conversation has moved on', async () => {
    const { ask, told, actor, conversationId } = await createTeam();
    await ask();
    await ask();
    await updateConversation(actor, { conversationId, status: 'processing' });
    await ask();
    expect(await told()).toEqual({ owner: [title, title] });
  });

  test('is no person, and no key of the business', async () => {
    const { ask, told, member, apiKeyActor, desk } = await createTeam();
    await ask(member);
    await updateConversation(desk.actor, { conversationId: (await desk.list()).conversations[0]?.id ?? '', status: 'pending' });
    await ask(apiKeyActor);
    expect(await told()).toEqual({});
  });
});

describe('an email that is not delivered', () => {
  const title = 'Not delivered: Re: A question';

  /** A reply, with what happens to it. */
  async function sentBy(of: Awaited<ReturnType<typeof createTeam>>, actor: IdentityActor) {
    const { conversationId, identityId } = of;
    const { id, messageIdHeader } = await replyTo(actor, replyInput.parse({ conversationId, text: 'Yes' }));
    const settle = (outcome: 'sent' | 'failed') =>
      transaction({ kind: 'system', cause: 'delivery' }, async (client) => {
        await client.query(
          `UPDATE outbox_mails SET state = '${outcome}', sent_at = now(), delivered = recipients WHERE message_id = $1`,
          [id],
        );
        await recordDelivery(client, identityId, id, outcome, new Date());
      });
    return { id, messageIdHeader, settle };
  }

  test('is told to the member who sent it', async () => {
    const team = await createTeam();
    const { settle } = await sentBy(team, team.member);
    await settle('failed');
    await settle('failed');
    expect(await team.told()).toEqual({ member: [title] });
    expect(await notificationsOf(team.member)).toMatchObject([{ kind: 'failed_email', conversationId: team.conversationId }]);
  });

  test('is told to owners and admins, if no member sent it', async () => {
    const team = await createTeam();
    await (await sentBy(team, team.apiKeyActor)).settle('failed');
    expect(await team.told()).toEqual({ owner: [title], admin: [title] });
  });

  test('is told to them, if its sender is no member any more', async () => {
    const team = await createTeam();
    const { settle } = await sentBy(team, team.member);
    await prisma().membership.deleteMany({ where: { userId: team.member.userId } });
    await settle('failed');
    expect(await team.told()).toEqual({ owner: [title], admin: [title] });
  });

  test('also if it comes back, and again after it was sent again', async () => {
    const team = await createTeam();
    const { id, messageIdHeader, settle } = await sentBy(team, team.member);
    await settle('sent');
    expect(await team.told()).toEqual({});
    await deliver(bounceMail(messageIdHeader, 'failed'), { to: team.address, sender: '' });
    expect(await team.told()).toEqual({ member: [title] });
    const mail = await prisma().outboxMail.findFirstOrThrow({ where: { messageId: id } });
    await resendMail(team.actor, mail.id);
    expect(await team.told()).toEqual({});
    await settle('failed');
    expect(await team.told()).toEqual({ member: [title] });
  });
});

test('members are told of conversations assigned to them, and of notes that mention them', async () => {
  const { identityId, conversationId, admin, member, viewer, told } = await createTeam();
  const about = { identityId, conversationId, subject: '' };
  const after = '2026-11-26T00:00:00.000Z';
  await transaction(admin, async (client) => {
    await notifyAssigned(client, { ...about, userId: member.userId, after }, admin);
    await notifyAssigned(client, { ...about, userId: member.userId, after }, admin);
    const mentioned = { ...about, subject: 'Rims', noteId: randomUUID(), userIds: [admin.userId, viewer.userId] };
    await notifyMentioned(client, mentioned, admin);
  });
  expect(await told()).toEqual({ member: ['Assigned to you: no subject'], viewer: ['Ann mentioned you: Rims'] });
});
