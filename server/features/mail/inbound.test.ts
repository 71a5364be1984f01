import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { beforeAll, describe, expect, test } from 'vitest';
import { verifyAddress } from '@/server/features/addresses/address-operator.service';
import { addWhitelistedAddress } from '@/server/features/addresses/further-address.service';
import { createAgent } from '@/server/features/agents/agent.service';
import { replyInput } from '@/server/features/conversations/message.schema';
import { getReplyDraft, replyTo } from '@/server/features/conversations/reply.service';
import { prisma } from '@/server/platform/db/prisma';
import { openStored } from '@/server/platform/files/content-store';
import { withFreshDatabase } from '@/server/testing/database';
import { createTestIdentity, type TestIdentity } from '@/server/testing/identity';
import { bounceMail, deliver, mailBytes, receiveBytes } from '@/server/testing/mail';
import { getConversation } from '../conversations/conversation.service';
import { listOutbox } from './outbox-list.service';
import { listQuarantine, quarantinedContent, removeQuarantined } from './quarantine.service';
import { mailReceiver } from './receiver.service';
import { getMailSetup } from './setup.service';

withFreshDatabase();

let desk: TestIdentity;
let neighbour: TestIdentity;

beforeAll(async () => {
  desk = await createTestIdentity({
    address: 'desk@shared.example',
    whitelist: [
      { handle: 'sales', address: 'sales@shared.example' },
      { handle: 'wheels', address: 'desk@xn--rder-loa.example' },
    ],
  });
  neighbour = await createTestIdentity({ address: 'neighbour@shared.example' });
});

describe('mail is routed by its envelope', () => {
  test.each([
    ['the address of an identity', 'desk@shared.example'],
    ['whatever its case', 'DESK@Shared.Example'],
    ['a whitelisted address', 'sales@shared.example'],
    ['one whose domain is written in its own letters', 'desk@räder.example'],
    ['the same in ASCII', 'desk@xn--rder-loa.example'],
  ])('to %s', async (_, to) => {
    const delivery = await deliver({ headers: { To: 'somebody@else.example' } }, { to });
    expect(delivery.identityId).toBe(desk.identityId);
    expect((await getConversation(desk.actor, delivery.conversationId)).assignedAgents).toEqual([]);
  });

  test('to an agent, who is assigned then', async () => {
    const agent = await createAgent(desk.actor, { name: 'Night shift', roleId: 'night-shift', kind: 'assistant' });
    const { conversationId, identityId } = await deliver({}, { to: 'night-shift@shared.example' });
    expect(identityId).toBe(desk.identityId);
    const { assignedAgents } = await getConversation(desk.actor, conversationId);
    expect(assignedAgents).toEqual([
      { id: agent.id, name: 'Night shift', roleId: 'night-shift', avatarUrl: '', avatarEmoji: '', status: 'active' },
    ]);
  });

  test('to the oldest identity where several share a domain and a role', async () => {
    expect((await deliver({}, { to: 'inbox-manager@shared.example' })).identityId).toBe(desk.identityId);
    await createAgent(neighbour.actor, { name: 'Only here', roleId: 'only-here', kind: 'assistant' });
    expect((await deliver({}, { to: 'only-here@shared.example' })).identityId).toBe(neighbour.identityId);
  });

  test('to an agent of an identity without an address', async () => {
    const homeless = await createTestIdentity();
    const { identityId } = await deliver({}, { to: `inbox-manager@${homeless.handle}.localhost` });
    expect(identityId).toBe(homeless.identityId);
  });

  test('to an agent as well, where the message comes in a second envelope', async () => {
    const bytes = mailBytes({ headers: { To: 'desk@shared.example, night-shift@shared.example' } });
    await receiveBytes(bytes, { to: 'desk@shared.example' });
    const second = await receiveBytes(bytes, { to: 'night-shift@shared.example' });
    const [delivery] = second.kind === 'stored' ? second.deliveries : [];
    expect(delivery?.isNew).toBe(false);
    const { assignedAgents, messageCount } = await getConversation(desk.actor, delivery?.conversationId ?? '');
    expect([assignedAgents.map(({ roleId }) => roleId), messageCount]).toEqual([['night-shift'], 1]);
  });

  test('to an identity before an agent of the same address, which is none of the agent’s then', async () => {
    const early = await createTestIdentity({ address: 'inbox-manager@crowded.example' });
    const late = await createTestIdentity({ address: 'late@crowded.example' });
    await createAgent(late.actor, { name: 'Mine', roleId: 'mine', kind: 'assistant' });
    expect((await deliver({}, { to: 'inbox-manager@crowded.example' })).identityId).toBe(early.identityId);
    const { addresses } = await getMailSetup(late.actor);
    expect(addresses).toEqual(['late@crowded.example', 'mine@crowded.example']);
    // Its address belongs to another identity, but the agent can still sign.
    const { conversationId } = await deliver({}, { to: 'late@crowded.example' });
    const draft = await getReplyDraft(late.actor, conversationId);
    expect(draft.agents.map(({ name }) => name)).toContain('Inbox manager');
    expect(draft.senders.map(({ email }) => email)).toEqual(['late@crowded.example', 'mine@crowded.example']);
    const agentId = draft.agents.find(({ name }) => name === 'Inbox manager')?.id;
    const signed = await replyTo(late.actor, replyInput.parse({ conversationId, text: 'Yes', agentId }));
    expect(signed).toMatchObject({ agentId, from: { email: 'late@crowded.example', displayName: 'Inbox manager' } });
  });

  test('to an identity before an agent of the same address', async () => {
    const exact = await createTestIdentity({ address: 'inbox-manager@neighbours.example' });
    expect((await deliver({}, { to: 'inbox-manager@neighbours.example' })).identityId).toBe(exact.identityId);
  });

  test.each([
    'de\0sk@shared.example',
    'nobody@shared.example',
    'desk@elsewhere.example',
    'desk',
    '',
    '@shared.example',
    'night-shift@desk.localhost',
  ])('to nobody: %s', async (to) => {
    await expect(receiveBytes(mailBytes({ headers: { To: undefined } }), { to })).rejects.toMatchObject({
      code: 'unknown_recipient',
      status: 422,
    });
  });

  test('to several identities, each with a conversation of its own, all or none', async () => {
    const reception = await receiveBytes(mailBytes(), { to: ['neighbour@shared.example', 'desk@shared.example'] });
    const deliveries = reception.kind === 'stored' ? reception.deliveries : [];
    expect(deliveries.map(({ identityId }) => identityId).sort()).toEqual([desk.identityId, neighbour.identityId].sort());
    expect(new Set(deliveries.map(({ conversationId }) => conversationId)).size).toBe(2);
  });

  test('as a blind copy where the message does not name the recipient', async () => {
    const { conversationId, messageId } = await deliver({ headers: { To: 'x@else.example' } }, { to: 'desk@shared.example' });
    const { bcc } = await prisma().message.findFirstOrThrow({ where: { id: messageId } });
    expect(bcc).toEqual([{ email: 'desk@shared.example', displayName: null }]);
    const { participants } = await getConversation(desk.actor, conversationId);
    expect(participants.find(({ role }) => role === 'bcc')).toMatchObject({ email: 'desk@shared.example', isSelf: true });
  });

  test('by its headers where nobody gave an envelope', async () => {
    const headers = { To: 'x@else.example', Cc: 'Sales <sales@shared.example>' };
    const byCc = await receiveBytes(mailBytes({ headers }), { to: [] });
    expect(byCc).toMatchObject({ deliveries: [{ identityId: desk.identityId }] });
    const byDelivery = await receiveBytes(
      mailBytes({ headers: { To: 'list@else.example', 'Delivered-To': 'desk@shared.example' } }),
      {
        to: [],
      },
    );
    expect(byDelivery).toMatchObject({ deliveries: [{ identityId: desk.identityId }] });
    await expect(receiveBytes(mailBytes({ headers: { To: 'x@else.example' } }), { to: [] })).rejects.toMatchObject({
      code: 'unknown_recipient',
    });
  });

  test('to one identity only: no further address is another’s own', async () => {
    for (const address of ['neighbour@shared.example', 'sales@shared.example']) {
      await expect(addWhitelistedAddress(desk.actor, { handle: address, address })).rejects.toMatchObject({ code: 'conflict' });
    }
    await expect(createTestIdentity({ address: 'sales@shared.example' })).rejects.toMatchObject({ code: 'conflict' });
    await addWhitelistedAddress(desk.actor, { handle: 'raced', address: 'raced@shared.example' });
    const both = await Promise.allSettled([
      verifyAddress({ identity: desk.handle, address: 'raced@shared.example', force: false }),
      createTestIdentity({ address: 'raced@shared.example' }),
    ]);
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });

  test('to no one at an address that is not proven yet', async () => {
    await addWhitelistedAddress(desk.actor, { handle: 'later', address: 'later@shared.example' });
    await expect(receiveBytes(mailBytes(), { to: 'later@shared.example' })).rejects.toMatchObject({ status: 422 });
    expect(await mailReceiver.isKnown('later@shared.example', { sender: '', clientAddress: '127.0.0.1', size: 0 })).toBe(false);
    const { conversationId } = await deliver({}, { to: ['later@shared.example', 'desk@shared.example'] });
    const draft = await getReplyDraft(desk.actor, conversationId);
    expect(draft.senders.map(({ email }) => email)).not.toContain('later@shared.example');
    const forged = replyTo(desk.actor, replyInput.parse({ conversationId, text: 'x', from: 'later@shared.example' }));
    await expect(forged).rejects.toMatchObject({ details: { fields: { from: 'is not an address of this identity' } } });
    expect((await getMailSetup(desk.actor)).addresses).not.toContain('later@shared.example');
    await verifyAddress({ identity: desk.handle, address: 'later@shared.example', force: false });
    expect((await deliver({}, { to: 'LATER@shared.example' })).identityId).toBe(desk.identityId);
  });
});

describe('automatic mail is known as such', () => {
  const isAutoReply = async (headers: Record<string, string>, sender: string | null = 'ann@quark.example') => {
    const { messageId } = await deliver({ headers }, { to: 'desk@shared.example', sender });
    return (await prisma().message.findFirstOrThrow({ where: { id: messageId } })).isAutoReply;
  };

  test.each([
    ['Auto-Submitted', 'auto-replied'],
    ['Auto-Submitted', 'auto-generated; owner-email="x"'],
    ['Precedence', 'bulk'],
    ['Precedence', 'LIST'],
    ['List-Id', '<a.list.example>'],
  ])('%s: %s', async (name, value) => {
    expect(await isAutoReply({ [name]: value })).toBe(true);
  });

  test('a null return path', async () => {
    expect(await isAutoReply({}, '')).toBe(true);
  });

  test('and a person’s mail as a person’s', async () => {
    expect(await isAutoReply({ 'Auto-Submitted': 'no', Precedence: 'normal' })).toBe(false);
  });
});

describe('what nobody can read', () => {
  const unreadable = (subject: string) => {
    const boundary = 'x'.repeat(10);
    const parts = Array.from({ length: 1_500 }, () => `--${boundary}\nContent-Type: text/plain\n\npart\n`).join('');
    return mailBytes({
      headers: { Subject: subject, 'Content-Type': `multipart/mixed; boundary=${boundary}` },
      body: `${parts}--${boundary}--\n`,
    });
  };

  test('is put aside with its bytes and a reason, once; the next message flows', async () => {
    const bytes = unreadable('Poison');
    for (let time = 0; time < 2; time++) {
      const reception = await receiveBytes(bytes, { to: 'desk@shared.example', sender: 'evil@post.example' });
      expect(reception.kind).toBe('quarantined');
    }
    const { messages } = await listQuarantine(desk.actor, undefined);
    expect(messages).toHaveLength(1);
    expect(messages[0]).toMatchObject({
      reason: 'unparsable',
      detail: 'The message has too many attachments or parts (over 1,000).',
      source: 'smtp',
      sender: 'evil@post.example',
      recipients: ['desk@shared.example'],
      size: bytes.length,
      isTruncated: false,
    });
    const { sha256 } = await quarantinedContent(desk.actor, messages[0]?.id ?? '');
    const stored = await openStored(sha256);
    expect((await buffer(stored?.stream ?? Readable.from([]))).equals(bytes)).toBe(true);
    expect((await deliver({}, { to: 'desk@shared.example' })).isNew).toBe(true);
  });

  test('is put aside for each of its identities, and nobody else sees or removes it', async () => {
    await receiveBytes(unreadable('Two'), { to: ['desk@shared.example', 'neighbour@shared.example'] });
    const [mail] = (await listQuarantine(neighbour.actor, undefined)).messages;
    expect(mail?.recipients).toEqual(['neighbour@shared.example']);
    await expect(quarantinedContent(desk.actor, mail?.id ?? '')).rejects.toMatchObject({ code: 'not_found' });
    await expect(removeQuarantined(desk.actor, mail?.id ?? '')).rejects.toMatchObject({ code: 'not_found' });
    await removeQuarantined(neighbour.actor, mail?.id ?? '');
    expect((await listQuarantine(neighbour.actor, undefined)).messages).toEqual([]);
  });
});

test('a message with everything in it that databases dislike is stored', async () => {
  const { conversationId } = await deliver(
    { headers: { Subject: 'A\u0000B \ud83d' }, body: 'x\u0000y\u0007' },
    { to: 'desk@shared.example' },
  );
  const { subject, preview } = await getConversation(desk.actor, conversationId);
  expect(`${subject}${preview}`.includes('\0')).toBe(false);
});

describe('a bounce', () => {
  async function sentReply(customer = 'ann@quark.example') {
    const { conversationId } = await deliver({ headers: { From: customer } }, { to: 'desk@shared.example' });
    const reply = await replyTo(desk.actor, replyInput.parse({ conversationId, text: 'Yes' }));
    await prisma().message.updateMany({ where: { id: reply.id }, data: { status: 'sent', sentAt: new Date() } });
    await prisma().outboxMail.updateMany({
      where: { messageId: reply.id },
      data: { state: 'sent', sentAt: new Date(), delivered: [customer] },
    });
    return { conversationId, reply };
  }

  test('joins the conversation of the message it is about, which has failed then', async () => {
    const { conversationId, reply } = await sentReply();
    const delivery = await deliver(bounceMail(reply.messageIdHeader, 'failed'), { to: 'desk@shared.example', sender: '' });
    expect(delivery.conversationId).toBe(conversationId);
    expect(await prisma().message.findFirstOrThrow({ where: { id: reply.id } })).toMatchObject({ status: 'failed' });
    const [mail] = (await listOutbox(desk.actor, { state: 'failed' })).emails;
    expect(mail?.error).toMatch(/^ann@quark\.example: Returned: .*550 5\.1\.1 no such user/);
  });

  test('names a recipient in ASCII whose domain has other letters', async () => {
    const { reply } = await sentReply('ann@bäcker.example');
    await deliver(bounceMail(reply.messageIdHeader, 'failed', 'ann@xn--bcker-gra.example'), {
      to: 'desk@shared.example',
      sender: '',
    });
    const [mail] = (await listOutbox(desk.actor, { state: 'failed' })).emails;
    expect(mail?.error).toMatch(/^ann@xn--bcker-gra\.example: Returned: /);
  });

  test('that comes while the mail is still being sent is kept', async () => {
    const { reply } = await sentReply();
    await prisma().outboxMail.updateMany({ where: { messageId: reply.id }, data: { state: 'sending', sentAt: null } });
    await deliver(bounceMail(reply.messageIdHeader, 'failed'), { to: 'desk@shared.example', sender: '' });
    const { state, refusals } = await prisma().outboxMail.findFirstOrThrow({ where: { messageId: reply.id } });
    expect([state, Object.keys(refusals as object)]).toEqual(['sending', ['ann@quark.example']]);
  });

  test('about somebody the message was never sent to says nothing', async () => {
    const { reply } = await sentReply();
    const forged = bounceMail(reply.messageIdHeader, 'failed');
    const body = forged.body.replaceAll('ann@quark.example', 'nobody@elsewhere.example');
    await deliver({ ...forged, body }, { to: 'desk@shared.example' });
    expect(await prisma().outboxMail.findFirstOrThrow({ where: { messageId: reply.id } })).toMatchObject({ state: 'sent' });
  });

  test('that only tells of a delay changes nothing but the conversation', async () => {
    const { conversationId, reply } = await sentReply();
    const delivery = await deliver(bounceMail(reply.messageIdHeader, 'delayed'), { to: 'desk@shared.example', sender: '' });
    expect(delivery.conversationId).toBe(conversationId);
    expect(await prisma().message.findFirstOrThrow({ where: { id: reply.id } })).toMatchObject({ status: 'sent' });
  });

  test('of another identity’s message is none of ours', async () => {
    const { reply } = await sentReply();
    await deliver(bounceMail(reply.messageIdHeader, 'failed'), { to: 'neighbour@shared.example', sender: '' });
    expect(await prisma().message.findFirstOrThrow({ where: { id: reply.id } })).toMatchObject({ status: 'sent' });
  });
});
