import { describe, expect, test } from 'vitest';
import { pool } from '@/server/platform/db/pool';
import { MailboxProblem } from '@/server/platform/mail/mailbox-problem';
import { withFreshDatabase } from '@/server/testing/database';
import { createTestIdentity, type TestIdentity } from '@/server/testing/identity';
import { notificationsOf } from '@/server/testing/notifications';
import { mailboxesMaximum } from './mailbox.limits';
import { findMailbox, serverOf } from './mailbox.record';
import { createMailboxInput, updateMailboxInput } from './mailbox.schema';
import { createMailbox, deleteMailbox, getMailbox, listMailboxes, updateMailbox } from './mailbox.service';
import { checkMailbox, readNow } from './mailbox-check.service';
import { readScheduled } from './mailbox-reading';
import { noteBeginning, noteChecked, noteProblem } from './mailbox-state';

withFreshDatabase({ OUTBOUND_ALLOWLIST: '127.0.0.1' });

const given = { address: 'Shop@Quark.example', host: '127.0.0.1', port: 1, password: 'secret' };

async function connected(changes: object = {}) {
  const desk = await createTestIdentity();
  const { actor } = desk;
  const mailbox = await createMailbox(actor, createMailboxInput.parse({ ...given, ...changes }));
  return { desk, actor, mailbox, key: { identityId: actor.identityId, mailboxId: mailbox.id } };
}

const dueIn = async (mailboxId: string) => {
  const { rows } = await pool().query<{ seconds: number }>(
    `SELECT extract(epoch FROM due_at - clock_timestamp())::float8 AS seconds FROM jobs WHERE kind = 'read-mailbox' AND key = $1`,
    [mailboxId],
  );
  return rows[0]?.seconds;
};

test('a mailbox has what most have, and its password is shown nowhere', async () => {
  const { actor, mailbox } = await connected({ port: undefined });
  expect(mailbox).toMatchObject({
    ...{ address: 'shop@quark.example', username: 'shop@quark.example', port: 993, security: 'tls' },
    ...{ folder: 'INBOX', importDays: 30, isPaused: false, status: 'new', problem: null, import: null },
  });
  expect(JSON.stringify([mailbox, await listMailboxes(actor)])).not.toContain('secret');
  const row = await findMailbox(pool(), actor.identityId, mailbox.id);
  expect(row?.password).not.toContain('secret');
  expect(row && (await serverOf(row))).toMatchObject({ password: 'secret' });
  const { rows } = await pool().query('SELECT after FROM audit_entries WHERE resource_id = $1', [mailbox.id]);
  expect(rows).toHaveLength(1);
  expect(JSON.stringify(rows)).not.toContain(row?.password);
  expect((await connected({ port: undefined, security: 'starttls' })).mailbox.port).toBe(143);
});

test.each([
  { host: 'imap.quark.example:993' },
  { host: 'https://imap.quark.example' },
  { host: '' },
  { username: 'ann\r\nA LOGOUT' },
  { password: '' },
  { folder: 'IN\u0000BOX' },
  { port: 0 },
  { importDays: -1 },
])('a mailbox with %j is refused', (changes) => {
  expect(createMailboxInput.safeParse({ ...given, ...changes }).success).toBe(false);
});

test('a folder is connected once, and a business has at most twenty', async () => {
  const { actor } = await connected();
  await expect(createMailbox(actor, createMailboxInput.parse(given))).rejects.toMatchObject({ code: 'conflict' });
  await createMailbox(actor, createMailboxInput.parse({ ...given, folder: 'Shop' }));
  const more = Array.from({ length: mailboxesMaximum }, (_, index) =>
    createMailbox(actor, createMailboxInput.parse({ ...given, folder: `Folder ${index}` })),
  );
  const results = await Promise.allSettled(more);
  expect(results.filter(({ status }) => status === 'rejected')).toHaveLength(2);
  expect((await listMailboxes(actor)).total).toBe(mailboxesMaximum);
});

test('a stored password goes to no other server', async () => {
  const { actor, mailbox } = await connected();
  const change = (changes: object) => updateMailbox(actor, updateMailboxInput.parse({ mailboxId: mailbox.id, ...changes }));
  for (const changes of [{ host: '8.8.8.8' }, { port: 2 }, { security: 'starttls' }, { username: 'other' }]) {
    await expect(change(changes)).rejects.toMatchObject({
      code: 'invalid_request',
      details: { fields: { password: expect.any(String) } },
    });
  }
  expect(await getMailbox(actor, mailbox.id)).toEqual(mailbox);
  expect(await change({ security: 'starttls', password: 'other' })).toMatchObject({
    security: 'starttls',
    port: 143,
    revision: 2,
  });
  expect(await change({ folder: 'Shop', isPaused: true })).toMatchObject({ folder: 'Shop', status: 'paused', revision: 3 });
});

test('a mailbox that can’t be read says why, and is tried again later and later', async () => {
  const { actor, mailbox, key } = await connected();
  expect(await dueIn(mailbox.id)).toBeLessThan(1);
  await pool().query('DELETE FROM jobs WHERE key = $1', [mailbox.id]);
  const { signal } = new AbortController();
  const pauses: number[] = [];
  for (let attempt = 0; attempt < 8; attempt++) {
    await readScheduled(key, signal);
    pauses.push(Math.round((await dueIn(mailbox.id)) ?? 0));
    await pool().query('DELETE FROM jobs WHERE key = $1', [mailbox.id]);
  }
  expect(pauses).toEqual([30, 60, 120, 240, 480, 960, 1800, 1800]);
  const failing = await getMailbox(actor, mailbox.id);
  expect(failing).toMatchObject({ status: 'failing', problem: { code: 'unreachable' }, revision: 1 });
  expect(failing.failingSince).not.toBeNull();

  await readNow(actor, mailbox.id);
  expect(await dueIn(mailbox.id)).toBeLessThan(1);
});

test('a mailbox is not read while it is paused, nor once it is disconnected', async () => {
  const { actor, mailbox, key } = await connected();
  await updateMailbox(actor, { mailboxId: mailbox.id, isPaused: true });
  await pool().query('DELETE FROM jobs WHERE key = $1', [mailbox.id]);
  await readScheduled(key, new AbortController().signal);
  expect(await dueIn(mailbox.id)).toBeUndefined();
  expect((await getMailbox(actor, mailbox.id)).problem).toBeNull();
  await updateMailbox(actor, { mailboxId: mailbox.id, isPaused: false });
  expect(await dueIn(mailbox.id)).toBeLessThan(1);
  await deleteMailbox(actor, mailbox.id);
  expect(await dueIn(mailbox.id)).toBeUndefined();
  await readScheduled(key, new AbortController().signal);
  expect(await dueIn(mailbox.id)).toBeUndefined();
});

describe('owners are notified of a mailbox that can’t be read', () => {
  const problem = new MailboxProblem('credentials', 'It refused the password.');
  const titles = async ({ actor }: TestIdentity) => (await notificationsOf(actor)).map(({ title }) => title);

  async function failing() {
    const { desk, mailbox, key } = await connected();
    const beginning = { uidValidity: '1', lastUid: 0, importLastUid: 0, importSince: new Date(), importTotal: 0 };
    await noteBeginning(key, beginning);
    await noteProblem(key, problem);
    await noteProblem(key, problem);
    expect(await titles(desk)).toEqual([expect.stringContaining('shop@quark.example')]);
    return { desk, mailbox, key };
  }

  test('until it can be read again', async () => {
    const { desk, mailbox, key } = await failing();
    await noteChecked(key);
    expect(await getMailbox(desk.actor, mailbox.id)).toMatchObject({ status: 'connected', problem: null, failingSince: null });
    expect(await titles(desk)).toEqual([]);
    await noteProblem(key, problem);
    expect(await titles(desk)).toHaveLength(1);
  });

  test('until it is changed, or disconnected', async () => {
    const { desk, mailbox, key } = await failing();
    await updateMailbox(desk.actor, { mailboxId: mailbox.id, password: 'other' });
    expect(await titles(desk)).toEqual([]);
    await noteProblem(key, problem);
    expect(await titles(desk)).toHaveLength(1);
    await deleteMailbox(desk.actor, mailbox.id);
    expect(await titles(desk)).toEqual([]);
  });
});

test('settings can be tried out, thirty times an hour', async () => {
  const { actor } = await createTestIdentity();
  const check = () => checkMailbox(actor, createMailboxInput.parse(given));
  expect(await check()).toMatchObject({ problem: { code: 'unreachable' }, folders: [], messages: null });
  for (let checks = 1; checks < 30; checks++) await check();
  await expect(check()).rejects.toMatchObject({ code: 'rate_limit_exceeded' });
  expect((await listMailboxes(actor)).total).toBe(0);
});
