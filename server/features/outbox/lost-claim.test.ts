import pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { recordDelivery } from '@/server/features/conversations/delivery.service';
import { prisma } from '@/server/platform/db/prisma';
import { overrideEnv } from '@/server/platform/env';
import { withFreshDatabase } from '@/server/testing/database';
import { createTestIdentity, type TestIdentity } from '@/server/testing/identity';
import { queueReply } from '@/server/testing/queued-reply';
import { startTestMailServer, type TestMailServer } from '@/server/testing/smtp-server';
import { sendMail } from './sending.service';

/** A mail is claimed, and the process does not learn whether that was committed, because the connection is lost. */

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

afterAll(() => mailServer.close());

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
