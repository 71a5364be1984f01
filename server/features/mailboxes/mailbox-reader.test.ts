import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { pool } from '@/server/platform/db/pool';
import { withFreshDatabase } from '@/server/testing/database';
import { createTestDesk } from '@/server/testing/desk';
import { dovecot, startDovecot, type TestDovecot } from '@/server/testing/dovecot';
import { mailBytes, type TestMail, testMessageId } from '@/server/testing/mail';
import { within } from '@/server/testing/patience';
import { listConversationsInput } from '../conversations/conversation.schema';
import { listConversations } from '../conversations/conversation.service';
import { findMailbox, serverOf } from './mailbox.record';
import { createMailboxInput } from './mailbox.schema';
import { createMailbox, deleteMailbox, getMailbox, updateMailbox } from './mailbox.service';
import { readMailbox } from './mailbox-reader';

withFreshDatabase({ OUTBOUND_ALLOWLIST: '127.0.0.1' });

const day = 86_400_000;
const daysAgo = (days: number) => new Date(Date.now() - days * day);
const mailOf = (subject: string, { headers, ...mail }: TestMail = {}) =>
  mailBytes({ headers: { Subject: subject, ...headers }, ...mail });

describe.skipIf(dovecot === null)('a mailbox', { timeout: within(60) * 1_000 }, () => {
  let imap: TestDovecot;
  let users = 0;
  beforeAll(async () => {
    imap = await startDovecot();
  });
  afterAll(() => imap.remove());

  /** A business with a mailbox that is connected, and not read yet. */
  async function connect(changes: object = {}, username = `user${users++}`) {
    const desk = await createTestDesk();
    const { ca: _ca, ...server } = imap.server(username);
    const input = createMailboxInput.parse({ address: `${username}@shop.example`, ...server, ...changes });
    const mailbox = await createMailbox(desk.actor, input);

    const row = async () => {
      const found = await findMailbox(pool(), desk.identityId, mailbox.id);
      if (!found) throw new Error('The mailbox is gone.');
      return found;
    };
    /** Reads until `isOver` returns true, at the latest once everything has been read if there is no condition. */
    const read = async (
      isOver: () => Promise<boolean> = async () => (await getMailbox(desk.actor, mailbox.id)).checkedAt !== null,
    ) => {
      const controller = new AbortController();
      const found = await row();
      const server = { ...(await serverOf(found)), ca: imap.server(username).ca ?? '' };
      const session = readMailbox({ row: found, server }, controller.signal);
      let ended = false;
      const end = session.finally(() => {
        ended = true;
      });
      end.catch(() => undefined);
      while (!ended && !(await isOver())) await new Promise((resolve) => setImmediate(resolve));
      if (ended) return session;
      controller.abort();
      return session.catch((error: unknown) => {
        if (!controller.signal.aborted) throw error;
        return null;
      });
    };
    const list = async () => (await listConversations(desk.actor, listConversationsInput.parse({ limit: 100 }))).conversations;
    const subjects = async () => (await list()).map(({ subject }) => subject);
    const state = () => getMailbox(desk.actor, mailbox.id);
    return { ...desk, username, mailboxId: mailbox.id, read, list, subjects, state, row };
  }

  const forget = (mailboxId: string) =>
    pool().query('UPDATE mailbox_states SET checked_at = NULL WHERE mailbox_id = $1', [mailboxId]);

  test('has its emails of the last days taken over, and those that come later, oldest first', async () => {
    const username = `user${users++}`;
    await imap.append(username, [mailOf('Too old')], { at: daysAgo(40) });
    await imap.append(username, [mailOf('Old and read')], { at: daysAgo(20), flags: ['\\Seen'] });
    await imap.append(username, [mailOf('Old')], { at: daysAgo(10) });
    const box = await connect({}, username);
    expect(await box.state()).toMatchObject({ status: 'new', import: null });
    await box.read();
    expect(await box.subjects()).toEqual(['Old', 'Old and read']);
    expect(await box.list()).toMatchObject([
      { subject: 'Old', isRead: false, status: 'pending' },
      { subject: 'Old and read', isRead: true, status: 'completed', waitingSince: null },
    ]);
    expect(await box.state()).toMatchObject({ status: 'connected', problem: null, import: { total: 2, done: 2 } });

    await imap.append(username, [mailOf('New'), mailOf('Newer')]);
    await box.read(async () => (await box.subjects()).length === 4);
    expect(await box.subjects()).toEqual(['Newer', 'New', 'Old', 'Old and read']);
    // Nothing in the mailbox has changed.
    const flags = await imap.as(username, async (client) => {
      await client.mailboxOpen('INBOX', { readOnly: true });
      return (await client.fetchAll('1:*', { flags: true })).map((message) => message.flags?.has('\\Seen'));
    });
    expect(flags).toEqual([false, true, false, false, false]);
  });

  test('is read at once when something comes', async () => {
    const box = await connect({ importDays: 0 });
    await imap.append(box.username, [mailOf('Before')]);
    const isThere = async () => (await box.subjects()).includes('While it waits');
    let appended = false;
    await box.read(async () => {
      if (!appended && (await box.state()).checkedAt !== null) {
        appended = true;
        await imap.append(box.username, [mailOf('While it waits')]);
      }
      return isThere();
    });
    expect(await box.subjects()).toEqual(['While it waits']);
  });

  test('is read over STARTTLS, and from another folder', async () => {
    const username = `user${users++}`;
    await imap.as(username, (client) => client.mailboxCreate('Shop'));
    await imap.append(username, [mailOf('In the folder')], { folder: 'Shop' });
    await imap.append(username, [mailOf('In the inbox')]);
    const box = await connect({ security: 'starttls', port: imap.ports.starttls, folder: 'Shop' }, username);
    await box.read();
    expect(await box.subjects()).toEqual(['In the folder']);
  });

  test('of which a message is known already has it once', async () => {
    const username = `user${users++}`;
    const id = testMessageId();
    await imap.append(username, [
      mailOf('Once', { headers: { 'Message-ID': id } }),
      mailOf('Twice', { headers: { 'Message-ID': id } }),
    ]);
    await imap.append(username, [mailOf('Without an id', { headers: { 'Message-ID': undefined } })]);
    const box = await connect({}, username);
    await box.read();
    expect((await box.subjects()).sort()).toEqual(['Once', 'Without an id']);
    // As if the server had died before it noted how far it was.
    await pool().query('UPDATE mailbox_states SET last_uid = 0 WHERE mailbox_id = $1', [box.mailboxId]);
    await forget(box.mailboxId);
    await box.read();
    expect((await box.subjects()).sort()).toEqual(['Once', 'Without an id']);
  });

  test('whose messages have got other numbers is read again, without copies', async () => {
    const username = `user${users++}`;
    await imap.append(username, [mailOf('First'), mailOf('Second')]);
    const box = await connect({}, username);
    await box.read();
    const before = (await box.row()).uidValidity;
    await imap.stop();
    await imap.renumber(username);
    await imap.start();
    await imap.append(username, [mailOf('Third')]);
    await forget(box.mailboxId);
    await box.read();
    expect((await box.row()).uidValidity).not.toBe(before);
    expect((await box.subjects()).sort()).toEqual(['First', 'Second', 'Third']);
  });

  test('goes on where it was interrupted', async () => {
    const username = `user${users++}`;
    await imap.append(
      username,
      Array.from({ length: 120 }, (_, index) => mailOf(`Message ${index}`)),
    );
    const box = await connect({}, username);
    await box.read(async () => ((await box.state()).import?.done ?? 0) >= 10);
    const { import: progress, status } = await box.state();
    expect(progress?.total).toBe(120);
    expect(progress?.done).toBeLessThan(120);
    expect(status).toBe('importing');
    await box.read();
    const { conversations, total } = await listConversations(box.actor, listConversationsInput.parse({ limit: 100 }));
    expect(total).toBe(120);
    expect(conversations).toHaveLength(100);
    expect(await box.state()).toMatchObject({ status: 'connected', import: { total: 120, done: 120 } });
  });

  test('has what can’t be read quarantined, and the next one taken over', async () => {
    const username = `user${users++}`;
    const nested = Array.from(
      { length: 300 },
      (_, level) => `Content-Type: multipart/mixed; boundary=b${level}\r\n\r\n--b${level}\r\n`,
    );
    await imap.append(username, [
      Buffer.from(`From: ann@quark.example\r\nSubject: Nested\r\n${nested.join('')}`),
      mailOf('Fine'),
    ]);
    await imap.append(username, [mailOf('Large', { body: 'x'.repeat(26 * 1024 ** 2) })]);
    const box = await connect({}, username);
    await box.read();
    expect(await box.subjects()).toContain('Fine');
    const { rows } = await pool().query<{ reason: string; source: string; recipients: string[] }>(
      'SELECT reason, source, recipients FROM quarantined_mails WHERE identity_id = $1 ORDER BY reason',
      [box.identityId],
    );
    expect(rows).toContainEqual({ reason: 'too_large', source: 'imap', recipients: [`${username}@shop.example`] });
  });

  test('of one business brings nothing to another one', async () => {
    const other = await createTestDesk();
    const username = `user${users++}`;
    await imap.append(username, [mailOf('For another', { headers: { To: other.address } })]);
    const box = await connect({}, username);
    await box.read();
    expect(await box.subjects()).toEqual(['For another']);
    expect((await listConversations(other.actor, listConversationsInput.parse({}))).total).toBe(0);
  });

  test('is not read any more once it is paused or disconnected', async () => {
    const box = await connect({ importDays: 0 });
    await box.read();
    await updateMailbox(box.actor, { mailboxId: box.mailboxId, isPaused: true });
    expect(await box.state()).toMatchObject({ status: 'paused' });
    await deleteMailbox(box.actor, box.mailboxId);
    await expect(box.state()).rejects.toMatchObject({ code: 'not_found' });
  });

  test.each([
    ['a wrong password', { password: 'wrong' }, 'credentials'],
    ['a folder that is not there', { folder: 'Nowhere' }, 'folder'],
    ['a port where nothing listens', { port: 1 }, 'unreachable'],
  ])('with %s says so', async (_, changes, code) => {
    const box = await connect(changes);
    const session = await box.read(() => new Promise((resolve) => setTimeout(resolve, 50, false)));
    expect(session).toMatchObject({ hasRead: false, problem: { code } });
  });
});
