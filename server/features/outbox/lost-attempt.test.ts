import pg from 'pg';
import { beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { recordDelivery } from '@/server/features/conversations/delivery.service';
import { prisma } from '@/server/platform/db/prisma';
import { withFreshDatabase } from '@/server/testing/database';
import { createTestIdentity, type TestIdentity } from '@/server/testing/identity';
import { gate } from '@/server/testing/jobs';
import { queueReply } from '@/server/testing/queued-reply';
import { withMailServer } from '@/server/testing/smtp-server';
import { maximumAttempts } from './retry';
import { sendMail } from './sending.service';

/** Attempts whose end is not recorded: the process dies, is taken for another that has died, or loses its connection. */

withFreshDatabase();
const mailServer = withMailServer();

let desk: TestIdentity;
let id: string;
let message: { id: string; messageIdHeader: string };

beforeAll(async () => {
  desk = await createTestIdentity({ address: 'desk@here.example' });
});

beforeEach(async () => {
  ({ id, message } = await queueReply(desk, 'desk@here.example'));
});

const mailInOutbox = () => prisma().outboxMail.findUniqueOrThrow({ where: { id }, select: { state: true, attempts: true } });

/** Tries to send the mail, and loses its connection at the COMMIT of the claim. */
async function loseClaim(when: 'before COMMIT' | 'after COMMIT'): Promise<void> {
  const query = pg.Client.prototype.query as (this: pg.Client, ...values: unknown[]) => Promise<unknown>;
  let claiming: pg.Client | undefined;
  const spy = vi.spyOn(pg.Client.prototype, 'query').mockImplementation(async function (this: pg.Client, ...values: unknown[]) {
    if ((values[0] as pg.QueryConfig).name === 'outbox-claim') claiming = this;
    if (values[0] !== 'COMMIT' || claiming !== this) return query.apply(this, values);
    spy.mockRestore();
    if (when === 'after COMMIT') await query.apply(this, values);
    (this as pg.Client & { connection: pg.Connection }).connection.stream.destroy();
    throw Object.assign(new Error('Connection terminated unexpectedly'), { code: 'ECONNRESET' });
  });
  await expect(sendMail(id, recordDelivery)).rejects.toMatchObject({ code: 'ECONNRESET' });
}

async function sendsOnce(attempts: number): Promise<void> {
  await sendMail(id, recordDelivery);
  await sendMail(id, recordDelivery);
  expect(mailServer.accepted).toHaveLength(1);
  expect(await mailInOutbox()).toMatchObject({ state: 'sent', attempts });
}

test('a committed claim is taken over by the next run', async () => {
  await loseClaim('after COMMIT');
  expect(await mailInOutbox()).toEqual({ state: 'sending', attempts: 1 });
  await sendsOnce(2);
});

test('a claim that was not committed leaves the mail unchanged', async () => {
  await loseClaim('before COMMIT');
  await expect.poll(mailInOutbox).toEqual({ state: 'queued', attempts: 0 });
  await sendsOnce(1);
});

test('a process that dies before it hands the mail over loses nothing', async () => {
  await prisma().outboxMail.update({ where: { id }, data: { state: 'sending', attempts: 1, lastAttemptAt: new Date() } });
  await sendsOnce(2);
});

test('a connection that breaks after the message makes it repeated with the same Message-ID', async () => {
  mailServer.behave({ message: () => 'hang-up' });
  await sendMail(id, recordDelivery);
  expect(await mailInOutbox()).toEqual({ state: 'queued', attempts: 1 });
  mailServer.behave({});
  await sendMail(id, recordDelivery);
  expect(mailServer.accepted).toHaveLength(2);
  for (const { raw } of mailServer.accepted) expect(raw).toContain(message.messageIdHeader);
});

test('a process that was declared dead and lives records nothing, once another has taken the mail over', async () => {
  const [begun, ended] = [gate(), new AbortController()];
  mailServer.behave({
    message: () => {
      begun.open();
      return 'silent';
    },
  });
  const first = sendMail(id, recordDelivery, ended.signal);
  await begun.opened;
  mailServer.behave({});
  await sendMail(id, recordDelivery);
  const after = await prisma().outboxMail.findUniqueOrThrow({ where: { id } });
  expect(after).toMatchObject({ state: 'sent', attempts: 2 });
  ended.abort();
  await first;
  expect(await prisma().outboxMail.findUniqueOrThrow({ where: { id } })).toEqual(after);
  expect(await prisma().message.findFirstOrThrow({ where: { id: message.id } })).toMatchObject({ status: 'sent' });
});

test('mail whose results are lost again and again is not sent again without end', async () => {
  const fails = () => Promise.reject(new Error('not recorded'));
  await expect(sendMail(id, fails)).rejects.toThrow('not recorded');
  expect(mailServer.accepted).toHaveLength(1);
  await prisma().outboxMail.update({ where: { id }, data: { attempts: maximumAttempts } });
  await expect(sendMail(id, fails)).rejects.toThrow('not recorded');
  await sendMail(id, recordDelivery);
  expect(await mailInOutbox()).toMatchObject({ state: 'failed' });
  expect(mailServer.accepted).toHaveLength(1);
});
