import { describe, expect, test } from 'vitest';
import { recordDelivery } from '@/server/features/conversations/delivery.service';
import { pool } from '@/server/platform/db/pool';
import { overrideEnv } from '@/server/platform/env';
import { withFreshDatabase } from '@/server/testing/database';
import { createTestDesk } from '@/server/testing/desk';
import { createTestIdentity } from '@/server/testing/identity';
import { deliver } from '@/server/testing/mail';
import { withMailServer } from '@/server/testing/smtp-server';
import { addWhitelistedAddress } from '../addresses/further-address.service';
import { sendMail } from '../outbox/sending.service';
import { getMailStatus } from './status.service';
import { getTestMail, sendTestMail } from './test-mail.service';

withFreshDatabase();
const mailServer = withMailServer();

describe('the state of mail', () => {
  test('of a business without anything yet', async () => {
    const { actor, handle } = await createTestIdentity();
    overrideEnv({ SMTP_URL: undefined, PUBLIC_URL: undefined });
    const agent = { email: `inbox-manager@${handle}.localhost`, kind: 'agent', agent: expect.any(String), status: 'proven' };
    expect(await getMailStatus(actor)).toEqual({
      outbound: { server: null, mailboxes: [], sender: agent.email, lastSent: null, lastFailure: null, queued: 0, failed: 0 },
      inbound: { mailboxes: [], smtpPort: null, isEncrypted: false, acceptsHttp: false, lastReceived: null },
      addresses: [agent],
      domain: null,
      host: null,
    });
  });

  test('never tells the password of the mail server', async () => {
    const { actor } = await createTestIdentity();
    overrideEnv({ SMTP_URL: 'smtps://somebody:top-secret@mail.example.com:465/?pool=1' });
    const status = await getMailStatus(actor);
    expect(status.outbound.server).toBe('mail.example.com:465');
    expect(JSON.stringify(status)).not.toMatch(/somebody|top-secret/);
  });

  test.each([
    ['https://desk.example.com', 'desk.example.com'],
    ['https://desk.example.com:8443/x', 'desk.example.com'],
    ['http://localhost:3000', null],
    ['http://127.0.0.1:3000', null],
    ['http://desk.local', null],
  ])('names %s as %s where DNS should point', async (publicUrl, host) => {
    const { actor } = await createTestIdentity();
    overrideEnv({ PUBLIC_URL: publicUrl });
    expect((await getMailStatus(actor)).host).toBe(host);
  });

  test('names addresses that are still to be proven as such', async () => {
    const { actor } = await createTestIdentity();
    await addWhitelistedAddress(actor, { handle: 'later', address: 'later@further.example' });
    expect((await getMailStatus(actor)).addresses).toContainEqual({
      ...{ email: 'later@further.example', kind: 'whitelisted', agent: null, status: 'pending' },
    });
  });

  test('of a business with further addresses only is about their domain', async () => {
    const whitelist = [{ handle: 'sales', address: 'sales@further.example' }];
    expect((await getMailStatus((await createTestIdentity({ whitelist })).actor)).domain).toBe('further.example');
  });

  test('tells the addresses, what came in last, and nothing of other businesses', async () => {
    const [desk, other] = [await createTestDesk(), await createTestDesk()];
    await deliver({ headers: { Subject: 'First' } }, { to: desk.address });
    await deliver({ headers: { Subject: 'Second' } }, { to: desk.sales });
    await deliver({ headers: { Subject: 'Theirs' } }, { to: other.address });
    const status = await getMailStatus(desk.actor);
    expect(status.inbound.lastReceived).toMatchObject({ subject: 'Second', from: 'ann@quark.example' });
    expect(status.domain).toBe(desk.domain);
    expect(status.addresses.map(({ email, kind }) => [email, kind])).toEqual([
      [desk.address, 'identity'],
      [desk.sales, 'whitelisted'],
      [`inbox-manager@${desk.domain}`, 'agent'],
    ]);
  });
});

describe('a test mail', () => {
  test('goes to the owner through the outbox, and says that it arrived', async () => {
    const desk = await createTestDesk();
    const test = await sendTestMail(desk.actor);
    expect(test).toMatchObject({ recipient: desk.owner.email, state: 'queued', error: null, sentAt: null });
    expect((await getMailStatus(desk.actor)).outbound).toMatchObject({ sender: desk.address, queued: 1, lastSent: null });
    await sendMail(test.id, recordDelivery);
    expect(mailServer.accepted.map(({ recipients }) => recipients)).toEqual([[desk.owner.email]]);
    expect(await getTestMail(desk.actor, test.id)).toMatchObject({ state: 'sent', sentAt: expect.any(String) });
    expect((await getMailStatus(desk.actor)).outbound).toMatchObject({
      queued: 0,
      lastSent: { subject: 'Test email from Frontdesk' },
      lastFailure: null,
    });
  });

  test('that can’t go out says why, and that it will be tried again', async () => {
    const desk = await createTestDesk();
    overrideEnv({ SMTP_URL: 'smtp://127.0.0.1:1' });
    const { id } = await sendTestMail(desk.actor);
    await sendMail(id, recordDelivery);
    expect(await getTestMail(desk.actor, id)).toMatchObject({ state: 'queued', error: expect.stringContaining('reached') });
    expect((await getMailStatus(desk.actor)).outbound).toMatchObject({
      queued: 1,
      lastFailure: { error: expect.stringContaining('reached'), willRetry: true },
    });
  });

  test('is only seen by its own business, and other mails are no tests', async () => {
    const [desk, other] = [await createTestDesk(), await createTestDesk()];
    const { id } = await sendTestMail(desk.actor);
    await expect(getTestMail(other.actor, id)).rejects.toMatchObject({ code: 'not_found' });
    await pool().query(`UPDATE outbox_mails SET kind = 'reply' WHERE id = $1`, [id]);
    await expect(getTestMail(desk.actor, id)).rejects.toMatchObject({ code: 'not_found' });
  });

  test('is sent five times in ten minutes at most, also at the same time', async () => {
    const desk = await createTestDesk();
    const results = await Promise.allSettled(Array.from({ length: 9 }, () => sendTestMail(desk.actor)));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(5);
    for (const result of results) {
      if (result.status === 'rejected') expect(result.reason).toMatchObject({ code: 'rate_limit_exceeded' });
    }
  });
});
