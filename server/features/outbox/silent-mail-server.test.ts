import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { recordDelivery } from '@/server/features/conversations/delivery.service';
import { pool } from '@/server/platform/db/pool';
import { prisma } from '@/server/platform/db/prisma';
import { transaction } from '@/server/platform/db/transaction';
import { overrideEnv } from '@/server/platform/env';
import { JobKind } from '@/server/platform/jobs/job';
import { startJobs } from '@/server/platform/jobs/worker';
import { log } from '@/server/platform/log';
import { queryAsOwner, withFreshDatabase } from '@/server/testing/database';
import { createTestIdentity, type TestIdentity } from '@/server/testing/identity';
import { jobsOfKind, secondsUntil } from '@/server/testing/jobs';
import { testMessageId } from '@/server/testing/mail';
import { startTestMailServer, type TestMailServer } from '@/server/testing/smtp-server';
import { enqueueMails, sendMailJob } from './outbox.service';
import { sendingJobs, sendMail } from './sending.service';

/** A mail server that receives a message and then stops responding, which is allowed for ten minutes (RFC 5321 4.5.3.2.6). */

withFreshDatabase();

const author = { kind: 'system', cause: 'delivery' } as const;

let desk: TestIdentity;
let mailServer: TestMailServer;
let begun: string[] = [];
let ran = 0;
let stop: () => Promise<void>;

const other = new JobKind('other');

beforeAll(async () => {
  desk = await createTestIdentity();
});

beforeEach(async () => {
  mailServer = await startTestMailServer();
  overrideEnv({ SMTP_URL: mailServer.url });
  [begun, ran] = [[], 0];
  stop = await startJobs([...sendingJobs(recordDelivery), other.handledBy(async () => void ran++)]);
});

afterEach(async () => {
  await stop();
  await prisma().outboxMail.deleteMany();
  await queryAsOwner('DELETE FROM jobs');
  await mailServer.close();
});

const silent = ({ raw }: { raw: string }) => {
  begun.push(raw);
  return 'silent' as const;
};

async function queue(count: number): Promise<void> {
  const from = { email: 'desk@here.example', displayName: null };
  const mails = Array.from({ length: count }, (_, index) => {
    const to = [{ email: `ann${index}@quark.example`, displayName: null }];
    const mail = { from, to, cc: [], bcc: [], text: 'Hello', html: '<p>Hello</p>', inReplyTo: null, references: [] };
    const messageIdHeader = testMessageId();
    return { identityId: desk.identityId, kind: 'reply', messageId: null, messageIdHeader, subject: 'Hello', mail };
  });
  await transaction(author, (client) => enqueueMails(client, mails));
}

/** A stop that waits for the mail server gives its jobs up after a while, and says so. */
async function stopInTime(): Promise<void> {
  const warn = vi.spyOn(log(), 'warn');
  await stop();
  expect(warn).not.toHaveBeenCalledWith('jobs were still at work when the server stopped');
  stop = async () => undefined;
}

const outbox = () => prisma().outboxMail.findMany({ orderBy: { id: 'asc' } });
const jobs = () => jobsOfKind(sendMailJob);

describe('a mail server that goes silent', () => {
  test('holds no more than its places: other jobs run', async () => {
    mailServer.behave({ message: silent });
    await queue(15);
    await expect.poll(() => begun.length).toBe(5);
    await other.schedule(pool(), { key: 'one', payload: {} });
    await expect.poll(() => ran).toBe(1);
    expect(begun).toHaveLength(5);
    expect((await outbox()).filter(({ state }) => state === 'sending')).toHaveLength(5);
  });

  test('after a message does not keep the server from stopping; the mail is sent once it is back, with the same Message-ID', async () => {
    mailServer.behave({ message: silent });
    await queue(1);
    await expect.poll(() => begun.length).toBe(1);
    await stopInTime();
    // It may have been accepted, so it is an attempt like any other.
    expect(await outbox()).toMatchObject([{ state: 'queued', attempts: 1, error: expect.stringContaining('was stopped') }]);
    expect(await secondsUntil(sendMailJob, (await outbox())[0]?.id)).toBeGreaterThan(0);
    mailServer.behave({});
    await sendMail((await outbox())[0]?.id ?? '', recordDelivery);
    expect(await outbox()).toMatchObject([{ state: 'sent', attempts: 2 }]);
    const idOf = (raw = '') => /^Message-ID: (.*)$/im.exec(raw)?.[1];
    expect(mailServer.accepted).toHaveLength(1);
    expect(idOf(mailServer.accepted[0]?.raw)).toBe(idOf(begun[0]));
  });

  test('before a message does not keep the server from stopping; the mail is queued as if it had not been tried', async () => {
    mailServer.behave({ recipient: () => 'silent' });
    await queue(1);
    await expect.poll(async () => (await outbox())[0]?.state).toBe('sending');
    await stopInTime();
    expect(await outbox()).toMatchObject([{ state: 'queued', attempts: 0, error: null }]);
    expect(await jobs()).toHaveLength(1);
    mailServer.behave({});
    await sendMail((await outbox())[0]?.id ?? '', recordDelivery);
    expect(mailServer.accepted).toHaveLength(1);
  });
});
