import { simpleParser } from 'mailparser';
import { beforeAll, describe, expect, test } from 'vitest';
import { recordDelivery } from '@/server/features/conversations/delivery.service';
import { listOutbox, resendMail } from '@/server/features/mail/outbox-list.service';
import { pool } from '@/server/platform/db/pool';
import { prisma } from '@/server/platform/db/prisma';
import { rows } from '@/server/platform/db/sql';
import { transaction } from '@/server/platform/db/transaction';
import { overrideEnv } from '@/server/platform/env';
import { JobKind } from '@/server/platform/jobs/job';
import { withFreshDatabase } from '@/server/testing/database';
import { createTestIdentity, type TestIdentity } from '@/server/testing/identity';
import { findJob, gate, secondsUntil, withJobs } from '@/server/testing/jobs';
import { testMessageId } from '@/server/testing/mail';
import { queueReply } from '@/server/testing/queued-reply';
import { withMailServer } from '@/server/testing/smtp-server';
import { getConversation } from '../conversations/conversation.service';
import { enqueueMails, scheduleMails, sendMailJob } from './outbox.service';
import { maximumAttempts, retryDelay } from './retry';
import { sendingJobs, sendMail } from './sending.service';

withFreshDatabase();
const mailServer = withMailServer();
const startWorker = withJobs();

let desk: TestIdentity;
let stranger: TestIdentity;

beforeAll(async () => {
  desk = await createTestIdentity({ address: 'desk@here.example', displayName: 'Schöner Empfang' });
  stranger = await createTestIdentity();
});

function useServer(url: string): void {
  overrideEnv({ SMTP_URL: url });
}

async function queuedReply(input: Parameters<typeof queueReply>[2] = {}) {
  const { id, message, conversationId } = await queueReply(desk, 'desk@here.example', input);
  const outbox = async () => {
    const listed = (await listOutbox(desk.actor, {})).emails.find((mail) => mail.id === id);
    return { ...(await prisma().outboxMail.findUniqueOrThrow({ where: { id } })), error: listed?.error };
  };
  const stored = () => prisma().message.findFirstOrThrow({ where: { id: message.id } });
  return { id, message, conversationId, outbox, stored };
}

const person = (email: string) => ({ email, displayName: null });
const jobOf = (id: string) => findJob(sendMailJob, id);

describe('mail in the outbox', () => {
  test('is listed by its conversation, with the message it carries', async () => {
    const [one, other] = [await queuedReply(), await queuedReply()];
    const { emails } = await listOutbox(desk.actor, { conversationId: one.conversationId });
    expect(emails.map(({ id, messageId }) => [id, messageId])).toEqual([[one.id, one.message.id]]);
    const waiting = await listOutbox(desk.actor, { conversationId: other.conversationId, state: 'queued' });
    expect(waiting.emails.map(({ id }) => id)).toEqual([other.id]);
    expect((await listOutbox(desk.actor, { conversationId: other.conversationId, state: 'failed' })).emails).toEqual([]);
    expect((await listOutbox(stranger.actor, { conversationId: one.conversationId })).emails).toEqual([]);
  });

  test('is handed over once, whole, and noted', async () => {
    const { id, message, outbox, stored } = await queuedReply({ cc: ['bob@quark.example'] });
    expect(await jobOf(id)).toBeDefined();
    await sendMail(id, recordDelivery);
    expect(mailServer.accepted).toMatchObject([
      { from: 'desk@here.example', recipients: ['ann@quark.example', 'bob@quark.example'] },
    ]);
    const parsed = await simpleParser(mailServer.accepted[0]?.raw ?? '');
    expect(parsed).toMatchObject({ messageId: message.messageIdHeader, subject: 'Re: A question', inReplyTo: message.inReplyTo });
    expect(parsed.from?.value).toEqual([{ address: 'desk@here.example', name: 'Schöner Empfang' }]);
    expect([parsed.references].flat()).toEqual(message.references);
    expect(parsed.text?.trim()).toBe('Grüße');
    expect(parsed.html).toContain('Grüße');
    expect(await outbox()).toMatchObject({ state: 'sent', attempts: 1, error: null, response: expect.stringContaining('250') });
    expect(await stored()).toMatchObject({ status: 'sent', sentAt: expect.any(Date) });
    await sendMail(id, recordDelivery);
    expect(mailServer.accepted).toHaveLength(1);
  });

  test('is handed over once, by several servers, however often its job is scheduled', async () => {
    for (let i = 0; i < 2; i++) await startWorker(...sendingJobs(recordDelivery));
    const { id, outbox } = await queuedReply();
    await Promise.all(
      Array.from({ length: 10 }, () =>
        transaction(desk.actor, (client) =>
          scheduleMails(client, [{ id, identityId: desk.identityId, kind: 'reply', hasFiles: false, mailboxId: null }]),
        ),
      ),
    );
    await expect.poll(() => jobOf(id)).toBeUndefined();
    expect(await outbox()).toMatchObject({ state: 'sent', attempts: 1 });
    expect(mailServer.accepted).toHaveLength(1);
  });

  test('waits, untouched, with its job, where there is no server to hand it to', async () => {
    const { id, outbox } = await queuedReply();
    overrideEnv({ SMTP_URL: undefined });
    const another = new JobKind<object>('another', 'mail');
    const worked = gate();
    const stop = await startWorker(
      ...sendingJobs(recordDelivery),
      another.handledBy(async () => worked.open()),
    );
    await another.schedule(pool(), { key: 'later', payload: {} });
    await worked.opened;
    await stop();
    expect(await outbox()).toMatchObject({ state: 'queued', attempts: 0 });
    expect(await secondsUntil(sendMailJob, id)).toBeLessThanOrEqual(0);
    expect((await listOutbox(desk.actor, {})).emails[0]).toMatchObject({ id, canSend: false });
    overrideEnv({ SMTP_URL: mailServer.url });
    await startWorker(...sendingJobs(recordDelivery));
    await expect.poll(() => jobOf(id)).toBeUndefined();
    expect(mailServer.accepted).toHaveLength(1);
  });
});

test('mail of one topic waits for the older one to the same recipient, and follows it at once', async () => {
  const mail = {
    from: person('desk@here.example'),
    to: [person('ann@quark.example')],
    cc: [],
    bcc: [],
    inReplyTo: null,
    references: [],
  };
  const [older = '', younger = ''] = await transaction(desk.actor, async (client) => {
    const own = { identityId: desk.identityId, kind: 'invitation', messageId: null, topic: 'event:1' };
    const of = (subject: string) => ({
      ...own,
      messageIdHeader: testMessageId(),
      subject,
      mail: { ...mail, text: subject, html: '' },
    });
    await enqueueMails(client, [of('Older'), of('Younger')]);
    const stored = await rows<{ id: string }>(client, {
      text: `SELECT id FROM outbox_mails WHERE topic = 'event:1' ORDER BY id`,
      values: [],
    });
    return stored.map(({ id }) => id);
  });
  mailServer.behave({ message: () => ({ code: 451, message: '4.3.0 Busy' }) });
  await startWorker(...sendingJobs(recordDelivery));
  // It looks again by itself, since the older one may be withdrawn.
  await expect.poll(() => secondsUntil(sendMailJob, younger)).toBeGreaterThan(20);
  expect(await secondsUntil(sendMailJob, younger)).toBeLessThanOrEqual(60);
  await expect.poll(() => secondsUntil(sendMailJob, older)).toBeGreaterThan(0);
  mailServer.behave({});
  await sendMail(older, recordDelivery);
  await expect.poll(() => jobOf(younger)).toBeUndefined();
  expect(mailServer.accepted.map(({ raw }) => /^Subject: (.*)$/m.exec(raw)?.[1]?.trim())).toEqual(['Older', 'Younger']);
});

describe('a refusal', () => {
  test('for good ends it, with the server’s words', async () => {
    mailServer.behave({ recipient: () => ({ code: 550, message: '5.1.1 No such user' }) });
    const { id, conversationId, outbox, stored } = await queuedReply();
    await sendMail(id, recordDelivery);
    expect(await outbox()).toMatchObject({ state: 'failed', attempts: 1, error: expect.stringContaining('5.1.1 No such user') });
    expect(await stored()).toMatchObject({ status: 'failed', sentAt: null });
    expect((await getConversation(desk.actor, conversationId)).status).toBe('failed');
    await sendMail(id, recordDelivery);
    expect((await outbox()).attempts).toBe(1);
  });

  test('of the message is final too', async () => {
    mailServer.behave({ message: () => ({ code: 554, message: '5.7.1 Looks like spam' }) });
    const { id, outbox } = await queuedReply();
    await sendMail(id, recordDelivery);
    expect(await outbox()).toMatchObject({ state: 'failed', error: expect.stringContaining('5.7.1 Looks like spam') });
  });

  test('for now is tried again later, with longer and longer pauses', async () => {
    mailServer.behave({ message: () => ({ code: 451, message: '4.3.0 Busy' }) });
    const { id, outbox, stored } = await queuedReply();
    const before = Date.now();
    await sendMail(id, recordDelivery);
    const after = await outbox();
    expect(after).toMatchObject({ state: 'queued', attempts: 1, error: expect.stringContaining('4.3.0 Busy') });
    expect(after.dueAt.getTime()).toBeGreaterThanOrEqual(before + 30_000);
    expect(await stored()).toMatchObject({ status: 'queued' });
    expect((await jobOf(id))?.dueAt.getTime()).toBe(after.dueAt.getTime());
    mailServer.behave({});
    await sendMail(id, recordDelivery);
    expect(await outbox()).toMatchObject({ state: 'sent', attempts: 2, error: null });
    expect(mailServer.accepted).toHaveLength(1);
  });

  test('of some recipients keeps the others; those asked to come back get it alone', async () => {
    mailServer.behave({
      recipient: (address) => {
        if (address.startsWith('gone')) return { code: 550, message: '5.1.1 Gone' };
        if (address.startsWith('busy')) return { code: 450, message: '4.2.0 Greylisted' };
        return undefined;
      },
    });
    const { id, outbox } = await queuedReply({ cc: ['gone@quark.example', 'busy@quark.example'] });
    await sendMail(id, recordDelivery);
    const waiting = await outbox();
    expect(waiting).toMatchObject({ state: 'queued', error: expect.stringContaining('gone@quark.example: 550 5.1.1 Gone') });
    expect(waiting.error).toContain('4.2.0 Greylisted');
    mailServer.behave({});
    await sendMail(id, recordDelivery);
    expect(mailServer.accepted.map(({ recipients }) => recipients)).toEqual([['ann@quark.example'], ['busy@quark.example']]);
    // The refused recipient is kept despite the successful ones; a resend goes only there.
    expect(await outbox()).toMatchObject({
      state: 'failed',
      error: expect.stringMatching(/^gone@quark\.example: [^;]*5\.1\.1 Gone$/),
    });
    await resendMail(desk.actor, id);
    await sendMail(id, recordDelivery);
    expect(mailServer.accepted.at(-1)?.recipients).toEqual(['gone@quark.example']);
    expect(await outbox()).toMatchObject({ state: 'sent', error: null });
  });

  test('of everybody is told of each apart, and only those asked to come back are tried again', async () => {
    mailServer.behave({
      recipient: (address) =>
        address.startsWith('gone') ? { code: 550, message: '5.1.1 Gone' } : { code: 450, message: '4.2.0 Greylisted' },
    });
    const { id, outbox } = await queuedReply({ cc: ['gone@quark.example'] });
    await sendMail(id, recordDelivery);
    expect(await outbox()).toMatchObject({ state: 'queued', error: 'gone@quark.example: 550 5.1.1 Gone; 450 4.2.0 Greylisted' });
    mailServer.behave({});
    await sendMail(id, recordDelivery);
    expect(mailServer.accepted.map(({ recipients }) => recipients)).toEqual([['ann@quark.example']]);
    expect(await outbox()).toMatchObject({ state: 'failed', error: 'gone@quark.example: 550 5.1.1 Gone' });
  });

  test('of an address with letters other than ASCII in its domain is a refusal of that one', async () => {
    mailServer.behave({
      recipient: (address) => (address.startsWith('gone') ? { code: 550, message: '5.1.1 Gone' } : undefined),
    });
    const { id, outbox } = await queuedReply({ from: 'Gone <gone@xn--bcker-gra.example>', cc: ['ann@quark.example'] });
    await sendMail(id, recordDelivery);
    expect(await outbox()).toMatchObject({
      state: 'failed',
      delivered: ['ann@quark.example'],
      error: 'gone@xn--bcker-gra.example: 550 5.1.1 Gone',
    });
  });

  test('to listen at all is tried again', async () => {
    const { id, outbox } = await queuedReply();
    useServer('smtp://127.0.0.1:1');
    try {
      await sendMail(id, recordDelivery);
    } finally {
      useServer(mailServer.url);
    }
    expect(await outbox()).toMatchObject({ state: 'queued', error: expect.stringContaining('could not be reached') });
  });

  test('again and again ends after some days', () => {
    const pauses = Array.from({ length: maximumAttempts - 1 }, (_, index) => retryDelay(index + 1) ?? 0);
    expect(pauses.slice(0, 5)).toEqual([30, 120, 480, 1_920, 7_680]);
    expect(Math.max(...pauses)).toBe(6 * 3600);
    const days = pauses.reduce((sum, pause) => sum + pause, 0) / 86_400;
    expect(days).toBeGreaterThan(2.5);
    expect(days).toBeLessThan(5);
    expect(retryDelay(maximumAttempts)).toBeUndefined();
  });
});

describe('sending again', () => {
  async function failedReply() {
    mailServer.behave({ recipient: () => ({ code: 550, message: '5.1.1 No such user' }) });
    const reply = await queuedReply();
    await sendMail(reply.id, recordDelivery);
    mailServer.behave({});
    return reply;
  }

  test('begins anew, with the same Message-ID', async () => {
    const { id, message, conversationId, outbox } = await failedReply();
    await resendMail(desk.actor, id);
    expect(await outbox()).toMatchObject({ state: 'queued', attempts: 0, earlierAttempts: 1 });
    const [listed] = (await listOutbox(desk.actor, { conversationId })).emails;
    expect(listed).toMatchObject({ attempts: 1 });
    expect((await getConversation(desk.actor, conversationId)).status).toBe('waiting_customer');
    await sendMail(id, recordDelivery);
    expect(mailServer.accepted[0]?.raw).toContain(message.messageIdHeader);
    expect(await outbox()).toMatchObject({ state: 'sent' });
    await expect(resendMail(desk.actor, id)).rejects.toMatchObject({ code: 'conflict' });
  });

  test('is for one’s own mail', async () => {
    const { id } = await failedReply();
    await expect(resendMail(stranger.actor, id)).rejects.toMatchObject({ code: 'not_found' });
    expect((await listOutbox(stranger.actor, {})).emails).toEqual([]);
  });
});

test('the outbox lists by state, newest first, with counts', async () => {
  const { emails, counts } = await listOutbox(desk.actor, {});
  expect(emails.map(({ id }) => id)).toEqual(
    emails
      .map(({ id }) => id)
      .sort()
      .reverse(),
  );
  const sent = await listOutbox(desk.actor, { state: 'sent' });
  expect(sent.emails.every(({ state }) => state === 'sent')).toBe(true);
  expect(sent.emails).toHaveLength(counts.sent);
  expect(emails[0]).toMatchObject({ kind: 'reply', from: { email: 'desk@here.example' }, conversationId: expect.any(String) });
});
