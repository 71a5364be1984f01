import { describe, expect, test } from 'vitest';
import { pool } from '@/server/platform/db/pool';
import { openPassword } from '@/server/platform/mail/mailbox-password';
import { withFreshDatabase } from '@/server/testing/database';
import { createTestIdentity } from '@/server/testing/identity';
import { startTestMailServer } from '@/server/testing/smtp-server';
import { ownAddresses, sendersOf } from '../own-addresses/own-address.service';
import { findMailbox } from './mailbox.record';
import { checkMailboxInput, createMailboxInput, updateMailboxInput } from './mailbox.schema';
import { createMailbox, getMailbox, updateMailbox } from './mailbox.service';
import { checkMailbox } from './mailbox-check.service';

withFreshDatabase({ OUTBOUND_ALLOWLIST: '127.0.0.1' });

const given = { address: 'shop@quark.example', host: '127.0.0.1', port: 1, password: 'first' };
const outgoing = { host: 'smtp.quark.example' };

async function connected(changes: object = {}) {
  const { actor } = await createTestIdentity();
  const mailbox = await createMailbox(actor, createMailboxInput.parse({ ...given, outgoing, ...changes }));
  const row = async () => {
    const found = await findMailbox(pool(), actor.identityId, mailbox.id);
    if (!found) throw new Error('the mailbox is gone');
    return found;
  };
  return {
    actor,
    mailbox,
    change: (input: object) => updateMailbox(actor, updateMailboxInput.parse({ mailboxId: mailbox.id, ...input })),
    /** What is sent to the server that emails are sent by. */
    password: async () => {
      const { smtpPassword, password } = await row();
      return openPassword(smtpPassword ?? password ?? '', mailbox.id);
    },
  };
}

describe('the server that a mailbox sends by', () => {
  test('has what most have, and its password is shown nowhere', async () => {
    const { actor, mailbox, password } = await connected();
    expect(mailbox.outgoing).toEqual({ host: 'smtp.quark.example', port: 465, security: 'tls', username: 'shop@quark.example' });
    expect(await password()).toBe('first');
    const other = await connected({ outgoing: { ...outgoing, security: 'starttls', username: 'mailer', password: 'second' } });
    expect(other.mailbox.outgoing).toEqual({ host: 'smtp.quark.example', port: 587, security: 'starttls', username: 'mailer' });
    expect(await other.password()).toBe('second');
    const { rows } = await pool().query('SELECT after FROM audit_entries WHERE resource_id = $1', [other.mailbox.id]);
    expect(JSON.stringify([rows, await getMailbox(actor, mailbox.id)])).not.toMatch(/first|second/);
    expect((await connected({ outgoing: undefined })).mailbox.outgoing).toBeNull();
  });

  test('stays as it is unless it is named, and is taken away with null', async () => {
    const { mailbox, change } = await connected();
    expect((await change({ isPaused: true })).outgoing).toEqual(mailbox.outgoing);
    expect((await change({ outgoing: null })).outgoing).toBeNull();
  });

  test('gets no password that was entered for another one', async () => {
    const { actor, mailbox, change, password } = await connected();
    for (const changes of [{ host: 'smtp.x.example' }, { port: 2 }, { security: 'starttls' }, { username: 'other' }]) {
      await expect(change({ outgoing: { ...outgoing, ...changes } })).rejects.toMatchObject({
        code: 'invalid_request',
        details: { fields: { 'outgoing.password': expect.any(String) } },
      });
    }
    expect(await getMailbox(actor, mailbox.id)).toEqual(mailbox);
    expect((await change({ outgoing })).outgoing).toEqual(mailbox.outgoing);
    await change({ host: '127.0.0.2', password: 'other' });
    expect(await password()).toBe('first');
    await change({ outgoing: { host: 'smtp.x.example', password: 'third' } });
    expect(await password()).toBe('third');
  });

  test('gets a new password of the mailbox, which both have', async () => {
    const { change, password } = await connected();
    await change({ password: 'new' });
    expect(await password()).toBe('new');
  });

  test('is tried out, and what fails is said', async () => {
    const { actor } = await createTestIdentity();
    const server = await startTestMailServer({ security: 'tls', password: 'first' });
    try {
      const check = (changes: object) => checkMailbox(actor, checkMailboxInput.parse({ ...given, ...changes }));
      expect((await check({})).outgoingProblem).toBeNull();
      const at = (port: number) => check({ outgoing: { host: '127.0.0.1', port } });
      expect(await at(server.port)).toMatchObject({ problem: { code: 'unreachable' }, outgoingProblem: { code: 'certificate' } });
      expect(await at(1)).toMatchObject({
        outgoingProblem: { code: 'unreachable', message: expect.stringContaining('127.0.0.1:1') },
      });
    } finally {
      await server.close();
    }
  });
});

test('the address of a mailbox that sends can be chosen as sender, once', async () => {
  const { actor } = await connected();
  const senders = async () =>
    sendersOf(await ownAddresses(pool(), actor.identityId), null).map(({ email, reason }) => [email, reason]);
  expect(await senders()).toContainEqual(['shop@quark.example', 'mailbox']);
  await createMailbox(actor, createMailboxInput.parse({ ...given, folder: 'Sent', outgoing }));
  expect((await senders()).filter(([email]) => email === 'shop@quark.example')).toHaveLength(1);
  const silent = await connected({ outgoing: null });
  expect(JSON.stringify(sendersOf(await ownAddresses(pool(), silent.actor.identityId), null))).not.toContain(
    'shop@quark.example',
  );
});
