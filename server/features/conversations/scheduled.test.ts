import { simpleParser } from 'mailparser';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createAgent } from '@/server/features/agents/agent.service';
import type { ApiKeyActor } from '@/server/platform/actor';
import { pool } from '@/server/platform/db/pool';
import { prisma } from '@/server/platform/db/prisma';
import { withFreshDatabase } from '@/server/testing/database';
import { eventsOf } from '@/server/testing/events';
import { createTestIdentity, type TestIdentity } from '@/server/testing/identity';
import { findJob, secondsUntil, withJobs } from '@/server/testing/jobs';
import { bounceMail, deliver, type TestMail } from '@/server/testing/mail';
import { notificationsOf } from '@/server/testing/notifications';
import { withMailServer } from '@/server/testing/smtp-server';
import { addTestMember } from '@/server/testing/team';
import { sendMailJob } from '../outbox/outbox.service';
import { sendingJobs, sendMail } from '../outbox/sending.service';
import { getConversation, listMessages } from './conversation.service';
import { recordDelivery } from './delivery.service';
import { listDraftsInput } from './draft.schema';
import { listDrafts } from './draft.service';
import { listMessagesInput, newConversationInput, type ReplyInput, replyInput } from './message.schema';
import { startConversation } from './new-conversation.service';
import { replyTo } from './reply.service';
import { listScheduledInput } from './scheduled.schema';
import { listScheduled } from './scheduled.service';

withFreshDatabase();
const mailServer = withMailServer();
const startWorker = withJobs();

let desk: TestIdentity;
const address = 'desk@here.example';

beforeAll(async () => {
  desk = await createTestIdentity({ address });
});

beforeEach(async () => {
  await pool().query('DELETE FROM mail_drafts');
});

const [hour, day] = [3_600_000, 86_400_000];

/** In so many milliseconds. */
const later = (milliseconds: number) => new Date(Date.now() + milliseconds).toISOString();

type Author = Parameters<typeof replyTo>[0];

const received = async () => (await deliver({}, { to: address })).conversationId;

const reply = (conversationId: string, input: Partial<ReplyInput> = {}, author: Author = desk.actor) =>
  replyTo(author, replyInput.parse({ conversationId, text: 'It is ready.', ...input }));

const messagesOf = async (conversationId: string) =>
  (await listMessages(desk.actor, listMessagesInput.parse({ conversationId }))).messages;

const outboxOf = (messageId: string) => prisma().outboxMail.findFirstOrThrow({ where: { messageId } });

/** Lets the time of a scheduled email come. */
const come = (messageId: string) =>
  pool().query(`UPDATE outbox_mails SET send_at = now() - interval '1 second' WHERE message_id = $1`, [messageId]);

describe('a time', () => {
  const refused = async (sendAt: string) =>
    reply(await received(), { sendAt }).then(
      () => null,
      (error) => error.details?.fields,
    );

  test('is in the future, at most a year ahead', async () => {
    expect(await refused(later(-1_000))).toEqual({ sendAt: 'must be in the future' });
    expect(await refused(later(370 * day))).toEqual({ sendAt: 'must be at most a year ahead' });
    expect(await refused(later(364 * day))).toBeNull();
  });

  test.each([
    ['sendAt', { sendAt: 'tomorrow' }],
    ['sendAt', { sendAt: '2026-11-30T08:00' }],
    ['holdSeconds', { holdSeconds: 31 }],
    ['holdSeconds', { holdSeconds: -1 }],
    ['cancelIfReply', { cancelIfReply: 'no' }],
  ])('is refused by the name of its field: %s', (field, input) => {
    const whole = { to: ['ann@x.io'], subject: 'x', text: 'x', ...input };
    expect(newConversationInput.safeParse(whole).error?.issues.map(({ path }) => path.join('.'))).toContain(field);
  });
});

describe('an email that waits', () => {
  test('is queued, and leaves at its time: not before, however early its job runs', async () => {
    const sendAt = later(2 * hour);
    const message = await reply(await received(), { sendAt });
    expect(message).toMatchObject({ status: 'queued', sendAt, sentAt: null });
    const { id } = await outboxOf(message.id);
    expect((await findJob(sendMailJob, id))?.dueAt.toISOString()).toBe(sendAt);
    await sendMail(id, recordDelivery);
    expect(mailServer.accepted).toEqual([]);
    expect(await outboxOf(message.id)).toMatchObject({ state: 'queued', attempts: 0 });
    expect((await findJob(sendMailJob, id))?.dueAt.toISOString()).toBe(sendAt);
  });

  test('is sent by its job when the time has come', async () => {
    const message = await reply(await received(), { holdSeconds: 1 });
    const { id } = await outboxOf(message.id);
    expect(await secondsUntil(sendMailJob, id)).toBeLessThanOrEqual(1);
    await startWorker(...sendingJobs(recordDelivery));
    await expect.poll(() => mailServer.accepted.length).toBe(1);
    await expect.poll(async () => (await outboxOf(message.id)).state).toBe('sent');
  });

  test('belongs to the time when it was sent', async () => {
    const conversationId = await received();
    const scheduled = await reply(conversationId, { sendAt: later(hour), text: 'Scheduled', cancelIfReply: false });
    await deliver({ headers: { 'In-Reply-To': scheduled.inReplyTo ?? '' }, body: 'Are you there?' }, { to: address });
    expect((await messagesOf(conversationId)).map(({ text }) => text.trim())).toEqual(['Hello', 'Scheduled', 'Are you there?']);
    await come(scheduled.id);
    await pool().query(`UPDATE messages SET created_at = created_at - interval '1 hour' WHERE conversation_id = $1`, [
      conversationId,
    ]);
    await pool().query(`UPDATE conversations SET last_message_at = last_message_at - interval '1 hour' WHERE id = $1`, [
      conversationId,
    ]);
    const { id, sendAt } = await outboxOf(scheduled.id);
    const events = await eventsOf(desk, () => sendMail(id, recordDelivery));
    expect((await messagesOf(conversationId)).map(({ text }) => text.trim())).toEqual(['Hello', 'Are you there?', 'Scheduled']);
    const [, , sent] = await messagesOf(conversationId);
    expect(sent).toMatchObject({ status: 'sent', sendAt: null, createdAt: sendAt?.toISOString() });
    expect(await getConversation(desk.actor, conversationId)).toMatchObject({
      ...{ lastMessageAt: sendAt?.toISOString(), preview: 'Scheduled', messageCount: 3 },
    });
    expect(events.map(({ type }) => type)).toEqual(['message.sent']);
    const { date } = await simpleParser(mailServer.accepted[0]?.raw ?? '');
    expect(date?.getTime()).toBe(Math.floor((sendAt?.getTime() ?? 0) / 1000) * 1000);
  });

  test('counts for the day on which it is sent', async () => {
    const starter = await createTestIdentity({ plan: 'solopreneur', address: 'desk@starter.example' });
    const { conversationId } = await deliver({}, { to: 'desk@starter.example' });
    const sendAt = later(5 * day);
    await reply(conversationId, { sendAt }, starter.actor);
    const days = await prisma().mailDay.findMany({ where: { identityId: starter.identityId } });
    expect(days.map((counted) => [counted.day.toISOString().slice(0, 10), counted.mails])).toEqual([[sendAt.slice(0, 10), 1]]);
    await prisma().mailDay.updateMany({ where: { identityId: starter.identityId }, data: { mails: 1_000_000 } });
    await expect(reply(conversationId, { sendAt }, starter.actor)).rejects.toMatchObject({
      code: 'quota_exceeded',
      details: { resetAt: `${later(6 * day).slice(0, 10)}T00:00:00.000Z` },
    });
    await reply(conversationId, {}, starter.actor);
  });
});

describe('a message that comes in', () => {
  const answer = (headers: TestMail['headers'] = {}, inReplyTo: string | null = null) =>
    deliver({ headers: { 'In-Reply-To': inReplyTo ?? '', ...headers }, body: 'Never mind' }, { to: address });

  const draftsOf = async (actor: Author = desk.actor) => (await listDrafts(actor, listDraftsInput.parse({}))).drafts;

  test('cancels what is scheduled in its conversation, which becomes a draft of its author', async () => {
    const author = await addTestMember(desk, 'member');
    const conversationId = await received();
    const scheduled = await reply(
      conversationId,
      { sendAt: later(day), to: ['ann@quark.example', 'bob@quark.example'] },
      author.actor,
    );
    const events = await eventsOf(desk, () => answer({}, scheduled.inReplyTo));
    expect(events.map(({ type, actor }) => [type, actor.type])).toEqual([
      ['message.deleted', 'system'],
      ['message.received', 'system'],
      ['conversation.updated', 'system'],
    ]);
    expect((await messagesOf(conversationId)).map(({ text }) => text.trim())).toEqual(['Hello', 'Never mind']);
    const conversation = await getConversation(desk.actor, conversationId);
    expect(conversation).toMatchObject({ status: 'pending', messageCount: 2, preview: 'Never mind', isRead: false });
    expect(conversation.participants.map(({ email }) => email)).not.toContain('bob@quark.example');
    expect(await draftsOf(author.actor)).toMatchObject([
      { conversationId, preview: 'It is ready.', to: [{ email: 'ann@quark.example' }, { email: 'bob@quark.example' }] },
    ]);
    expect(await prisma().outboxMail.count({ where: { messageId: scheduled.id } })).toBe(0);
    expect((await notificationsOf(author.actor)).map(({ title }) => title)).toEqual([
      'Not sent, because they replied: Re: A question',
    ]);
  });

  test.each([
    ['is automatic', { 'Auto-Submitted': 'auto-replied' }, {}],
    ['is our own', { From: address }, {}],
    ['was not to cancel it', {}, { cancelIfReply: false }],
  ])('leaves it if it %s', async (_what, headers, input) => {
    const conversationId = await received();
    const scheduled = await reply(conversationId, { sendAt: later(day), ...input });
    await answer(headers, scheduled.inReplyTo);
    expect((await messagesOf(conversationId)).map(({ id }) => id)).toContain(scheduled.id);
    expect(await draftsOf()).toEqual([]);
  });

  test('leaves what waits for some seconds only, and what is in other conversations', async () => {
    const [one, other] = [await received(), await received()];
    const held = await reply(one, { holdSeconds: 30 });
    await reply(other, { sendAt: later(day) });
    await answer({}, held.inReplyTo);
    expect(await draftsOf()).toEqual([]);
  });

  test('leaves an email that is being sent', async () => {
    const conversationId = await received();
    const scheduled = await reply(conversationId, { sendAt: later(day) });
    await pool().query(`UPDATE outbox_mails SET state = 'sending' WHERE message_id = $1`, [scheduled.id]);
    await answer({}, scheduled.inReplyTo);
    expect(await messagesOf(conversationId)).toHaveLength(3);
  });

  test('gives the draft of a program to the owner, and that of an agent to the agent', async () => {
    const agent = await createAgent(desk.actor, { name: 'Night', roleId: 'night', kind: 'assistant' });
    const asAgent: ApiKeyActor = { ...desk.apiKeyActor, agent: { id: agent.id, name: 'Night', status: 'active' } };
    for (const author of [desk.apiKeyActor, asAgent]) {
      const conversationId = await received();
      const scheduled = await reply(conversationId, { sendAt: later(day) }, author);
      await answer({}, scheduled.inReplyTo);
      expect(await draftsOf(author)).toMatchObject([{ conversationId }]);
    }
    expect(await draftsOf()).toHaveLength(1);
  });

  test('gives the draft of a former member to the owner', async () => {
    const former = await addTestMember(desk, 'member');
    const conversationId = await received();
    const scheduled = await reply(conversationId, { sendAt: later(day) }, former.actor);
    await prisma().membership.deleteMany({ where: { userId: former.actor.userId } });
    await answer({}, scheduled.inReplyTo);
    expect(await draftsOf()).toMatchObject([{ conversationId }]);
  });

  test('that is a bounce of another email leaves it', async () => {
    const conversationId = await received();
    const sent = await reply(conversationId);
    await sendMail((await outboxOf(sent.id)).id, recordDelivery);
    const scheduled = await reply(conversationId, { sendAt: later(day) });
    await deliver(bounceMail(sent.messageIdHeader, 'failed'), { to: address, sender: '' });
    expect((await messagesOf(conversationId)).map(({ id }) => id)).toContain(scheduled.id);
  });
});

test('scheduled emails are listed by their time, to the last one, and those of others are not', async () => {
  const [mine, other] = [
    await createTestIdentity({ address: 'a@list.example' }),
    await createTestIdentity({ address: 'b@list.example' }),
  ];
  const start = (identity: TestIdentity, subject: string, input: object) =>
    startConversation(
      identity.actor,
      newConversationInput.parse({ to: ['ann@quark.example'], subject, text: 'Hello', ...input }),
    );
  await start(mine, 'Third', { sendAt: later(3 * day) });
  await start(mine, 'First', { sendAt: later(day), cancelIfReply: false });
  await start(mine, 'Second', { sendAt: later(2 * day) });
  await start(mine, 'At once', {});
  await start(other, 'Theirs', { sendAt: later(day) });
  const all = await listScheduled(mine.actor, listScheduledInput.parse({}));
  expect(all).toMatchObject({ total: 3, hasMore: false, nextCursor: null });
  expect(all.emails.map(({ subject, cancelIfReply }) => [subject, cancelIfReply])).toEqual([
    ['First', false],
    ['Second', true],
    ['Third', true],
  ]);
  expect(all.emails[0]).toMatchObject({ to: [{ email: 'ann@quark.example' }], sentBy: { userId: mine.owner.userId } });
  const first = await listScheduled(mine.actor, listScheduledInput.parse({ limit: 2 }));
  expect(first).toMatchObject({ total: 3, hasMore: true });
  const rest = await listScheduled(mine.actor, listScheduledInput.parse({ limit: 2, cursor: first.nextCursor }));
  expect(rest.emails.map(({ subject }) => subject)).toEqual(['Third']);
  expect(rest).toMatchObject({ hasMore: false, nextCursor: null });
});
