import { simpleParser } from 'mailparser';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { recordDelivery } from '@/server/features/conversations/delivery.service';
import { listOutbox } from '@/server/features/mail/outbox-list.service';
import { pool } from '@/server/platform/db/pool';
import { rows } from '@/server/platform/db/sql';
import { prismaTransaction, transaction } from '@/server/platform/db/transaction';
import { overrideEnv } from '@/server/platform/env';
import { removeExpired } from '@/server/platform/jobs/expiry';
import { removals } from '@/server/registry';
import { withFreshDatabase } from '@/server/testing/database';
import { createTestIdentity, type TestIdentity } from '@/server/testing/identity';
import { findJob } from '@/server/testing/jobs';
import { withMailServer } from '@/server/testing/smtp-server';
import { addTestMember } from '@/server/testing/team';
import { listAuditInput } from '../audit/audit.schema';
import { listAudit } from '../audit/audit.service';
import { searchRecords } from '../search/search.service';
import { type AccountMail, accountMailSender, notifyOwners, sendAccountMail, sendHourlyMail } from './account-mail.service';
import { countOutbox, sendMailJob } from './outbox.service';
import { sendMail } from './sending.service';

withFreshDatabase();
const mailServer = withMailServer();

const secret = 'The code is 48151623.';
const mail: AccountMail = { to: 'ann@person.example', subject: 'Your code', text: secret, kind: 'test_code', language: 'en' };

let identity: TestIdentity;

beforeAll(async () => {
  identity = await createTestIdentity();
});

beforeEach(async () => {
  await pool().query('DELETE FROM outbox_mails');
});

interface StoredMail {
  id: string;
  state: string;
  mail: unknown;
  recipients: string[];
}

async function onlyMail(): Promise<StoredMail> {
  const found = await rows<StoredMail>(pool(), { text: 'SELECT * FROM outbox_mails', values: [] });
  expect(found).toHaveLength(1);
  return found[0] as StoredMail;
}

const operator = { kind: 'system', cause: 'operator' } as const;

const send = (changes: Partial<AccountMail> = {}) =>
  transaction(identity.actor, (client) => sendAccountMail(client, { ...mail, ...changes }));

describe('mail to the person behind an account', () => {
  test.each([
    ['hand-written', send],
    ['one of Prisma’s', () => prismaTransaction(identity.actor, (tx) => sendAccountMail(tx, mail))],
  ])('leaves in a transaction that is %s', async (_, act) => {
    expect(await act()).toBe(true);
    const { id } = await onlyMail();
    expect(await findJob(sendMailJob, id)).toBeDefined();
    await sendMail(id, recordDelivery);
    expect(mailServer.accepted).toMatchObject([{ from: accountMailSender().email, recipients: ['ann@person.example'] }]);
    const received = await simpleParser(mailServer.accepted[0]?.raw ?? '');
    expect(received).toMatchObject({ subject: 'Your code', text: expect.stringContaining(secret) });
    expect(received.headers.get('auto-submitted')).toBe('auto-generated');
  });

  test('with a link or a code does not wait for notices that were written earlier', async () => {
    for (const kind of ['new_browser', 'api_key_created', 'reset_password', 'confirm_email', 'address_code'])
      await send({ kind });
    const lanes = async () => {
      const found = await rows<{ kind: string; lane: string }>(pool(), {
        text: `SELECT o.kind, j.lane FROM outbox_mails o JOIN jobs j ON j.key = o.id::text ORDER BY o.id`,
        values: [],
      });
      return Object.fromEntries(found.map(({ kind, lane }) => [kind, lane]));
    };
    expect(await lanes()).toEqual({
      new_browser: 'mail',
      api_key_created: 'mail',
      reset_password: 'account-mail',
      confirm_email: 'account-mail',
      address_code: 'account-mail',
    });
  });

  test('of one cause is written once an hour', async () => {
    const hourly = (cause: string, changes: Partial<AccountMail> = {}) =>
      prismaTransaction(operator, (tx) => sendHourlyMail(tx, { ...mail, ...changes }, cause));
    expect(await hourly('a')).toBe(true);
    expect(await hourly('a')).toBe(false);
    expect(await hourly('b')).toBe(true);
    expect(await hourly('a', { to: 'bob@person.example' })).toBe(true);
    expect(await hourly('a', { kind: 'other' })).toBe(true);
    expect(await send()).toBe(true);
    await pool().query(`UPDATE outbox_mails SET created_at = created_at - interval '61 minutes'`);
    expect(await hourly('a')).toBe(true);
  });

  test('is not sent when the transaction fails', async () => {
    const failing = transaction(identity.actor, async (client) => {
      await sendAccountMail(client, mail);
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    expect(await rows(pool(), { text: 'SELECT 1 FROM outbox_mails', values: [] })).toEqual([]);
  });

  test('comes from MAIL_FROM, else from the host of the installation', () => {
    overrideEnv({ MAIL_FROM: { email: 'desk@operator.example', displayName: 'Desk' } });
    expect(accountMailSender()).toEqual({ email: 'desk@operator.example', displayName: 'Desk' });
    overrideEnv({ MAIL_FROM: undefined, PUBLIC_URL: 'https://desk.operator.example' });
    expect(accountMailSender().email).toBe('frontdesk@desk.operator.example');
    overrideEnv({ PUBLIC_URL: 'http://[::1]:3000' });
    expect(accountMailSender().email).toBe('frontdesk@localhost');
    overrideEnv({ PUBLIC_URL: undefined });
  });

  test('is not written without SMTP_URL', async () => {
    overrideEnv({ SMTP_URL: undefined });
    expect(await send()).toBe(false);
    expect(await rows(pool(), { text: 'SELECT 1 FROM outbox_mails', values: [] })).toEqual([]);
  });

  test('is shown by no outbox, search or audit log', async () => {
    await send({ text: 'Findable words' });
    expect(await listOutbox(identity.actor, {})).toMatchObject({ emails: [], counts: { queued: 0 } });
    await sendMail((await onlyMail()).id, recordDelivery);
    expect(await countOutbox(identity.identityId)).toEqual({ queued: 0, sending: 0, sent: 0, failed: 0 });
    expect(JSON.stringify(await searchRecords(identity.actor, { query: 'Findable', limit: 10 }))).not.toContain('Findable');
    expect(JSON.stringify(await listAudit(identity.actor, listAuditInput.parse({})))).not.toContain('Your code');
    await pool().query('DELETE FROM outbox_mails');
    const noted = await rows(pool(), { text: `SELECT 1 FROM audit_entries WHERE resource = 'mail'`, values: [] });
    expect(noted).toEqual([]);
  });

  test('loses its text when it is sent', async () => {
    await send();
    const { id } = await onlyMail();
    expect(JSON.stringify((await onlyMail()).mail)).toContain(secret);
    await sendMail(id, recordDelivery);
    expect(await onlyMail()).toMatchObject({ state: 'sent', mail: { text: '', html: '' } });
    expect(JSON.stringify(await onlyMail())).not.toContain('48151623');
  });

  test('keeps its text while it will be tried again, and loses it when it has failed', async () => {
    mailServer.behave({ message: () => ({ code: 451, message: 'Later' }) });
    await send();
    const { id } = await onlyMail();
    await sendMail(id, recordDelivery);
    expect(await onlyMail()).toMatchObject({ state: 'queued', mail: { text: secret } });
    mailServer.behave({ message: () => ({ code: 554, message: 'Never' }) });
    await sendMail(id, recordDelivery);
    expect(await onlyMail()).toMatchObject({ state: 'failed', mail: { text: '', html: '' } });
  });

  test('that is of no use any more is not sent, and loses its text', async () => {
    await send({ expiresAt: new Date(Date.now() - 1000) });
    await sendMail((await onlyMail()).id, recordDelivery);
    expect(mailServer.accepted).toEqual([]);
    expect(await onlyMail()).toMatchObject({ state: 'failed', mail: { text: '', html: '' } });
  });

  test('is removed after a week, whatever became of it', async () => {
    await send();
    await removeExpired(removals);
    await onlyMail();
    await pool().query(`UPDATE outbox_mails SET created_at = now() - interval '8 days'`);
    await removeExpired(removals);
    expect(await rows(pool(), { text: 'SELECT 1 FROM outbox_mails', values: [] })).toEqual([]);
  });

  test('never carries a message of a conversation', async () => {
    await send();
    await expect(pool().query('UPDATE outbox_mails SET message_id = gen_random_uuid()')).rejects.toMatchObject({
      constraint: 'outbox_mails_owner_check',
    });
  });
});

test('notices about a business go to all of its owners, and to no one else', async () => {
  const shop = await createTestIdentity({ displayName: 'Harbor Lane' });
  const partner = await addTestMember(shop, 'owner');
  await addTestMember(shop, 'admin');
  await prismaTransaction(shop.actor, (tx) =>
    notifyOwners(tx, shop.identityId, (_language, business) => ({
      language: 'en',
      kind: 'test',
      subject: business,
      text: 'Hello',
    })),
  );
  const found = await rows<{ subject: string; recipients: string[] }>(pool(), {
    text: `SELECT subject, recipients FROM outbox_mails WHERE kind = 'test'`,
    values: [],
  });
  expect(found.map(({ subject }) => subject)).toEqual(['Harbor Lane', 'Harbor Lane']);
  expect(found.flatMap(({ recipients }) => recipients).sort()).toEqual([shop.owner.email, partner.email].sort());
});
