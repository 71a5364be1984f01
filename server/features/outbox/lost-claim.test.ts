import pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { recordDelivery } from '@/server/features/conversations/delivery.service';
import { closeLeases } from '@/server/platform/db/lease';
import { prisma } from '@/server/platform/db/prisma';
import { overrideEnv } from '@/server/platform/env';
import { takeFromProcess } from '@/server/platform/process-globals';
import { withFreshDatabase } from '@/server/testing/database';
import { createTestIdentity, type TestIdentity } from '@/server/testing/identity';
import { queueReply } from '@/server/testing/queued-reply';
import { startTestMailServer, type TestMailServer } from '@/server/testing/smtp-server';
import { sendMail, sweepOutbox } from './sending.service';

/**
 * A mail is claimed, and the process does not learn whether that was committed: because the connection is lost, or because it is
 * killed.
 */

withFreshDatabase();

let desk: TestIdentity;
let mailServer: TestMailServer;
let id: string;

beforeAll(async () => {
  desk = await createTestIdentity({ address: 'desk@here.example' });
  mailServer = await startTestMailServer();
  overrideEnv({ SMTP_URL: mailServer.url });
});

beforeEach(async () => {
  mailServer.accepted.length = 0;
  ({ id } = await queueReply(desk, 'desk@here.example'));
});

afterAll(async () => {
  await closeLeases();
  await mailServer.close();
});

const mailInOutbox = () =>
  prisma().outboxMail.findUniqueOrThrow({ where: { id }, select: { state: true, attempts: true, lastAttemptAt: true } });

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

test('a committed claim is taken over at once by the process that made it', async () => {
  await loseClaim('after COMMIT');
  expect(await mailInOutbox()).toMatchObject({ state: 'sending', attempts: 1 });
  await sendsOnce(2);
});

test('a claim that was not committed leaves the mail unchanged', async () => {
  await loseClaim('before COMMIT');
  await expect.poll(mailInOutbox).toMatchObject({ state: 'queued', attempts: 0 });
  await sendsOnce(1);
});

test('a committed claim is taken over at once, also after another one that was not committed', async () => {
  await loseClaim('after COMMIT');
  await loseClaim('before COMMIT');
  await expect.poll(mailInOutbox).toMatchObject({ state: 'sending', attempts: 1 });
  await sendsOnce(2);
});

test('a mail that another process has claimed meanwhile is left to that process', async () => {
  await loseClaim('before COMMIT');
  await expect.poll(mailInOutbox).toMatchObject({ state: 'queued' });
  await prisma().outboxMail.update({ where: { id }, data: { state: 'sending', attempts: 1, lastAttemptAt: new Date() } });
  await sendMail(id, recordDelivery);
  expect(mailServer.accepted).toEqual([]);
});

test('a claim of a killed process that is committed when the next one has started is taken over by that one', async () => {
  await prisma().outboxMail.update({ where: { id }, data: { state: 'sending', attempts: 1, lastAttemptAt: new Date() } });
  // It has not sent anything yet.
  takeFromProcess('mail-sending-since');
  await sendsOnce(2);
});

test('a claim of another process is left to that one, also by one that has looked for mail and sent none yet', async () => {
  takeFromProcess('mail-sending-since');
  await sweepOutbox();
  await prisma().outboxMail.update({ where: { id }, data: { state: 'sending', attempts: 1, lastAttemptAt: new Date() } });
  await sendMail(id, recordDelivery);
  expect(mailServer.accepted).toEqual([]);
});
