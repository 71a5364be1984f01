import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { recordDelivery } from '@/server/features/conversations/delivery.service';
import { newConversationInput } from '@/server/features/conversations/message.schema';
import { startConversation } from '@/server/features/conversations/new-conversation.service';
import { listOutbox, resendMail } from '@/server/features/mail/outbox-list.service';
import { createMailboxInput } from '@/server/features/mailboxes/mailbox.schema';
import { createMailbox, deleteMailbox, updateMailbox } from '@/server/features/mailboxes/mailbox.service';
import { pool } from '@/server/platform/db/pool';
import { transaction } from '@/server/platform/db/transaction';
import { overrideEnv } from '@/server/platform/env';
import { withFreshDatabase } from '@/server/testing/database';
import { startDrippingServer } from '@/server/testing/dripping-server';
import { createTestIdentity, type TestIdentity } from '@/server/testing/identity';
import { findJob, withJobs } from '@/server/testing/jobs';
import { startTestMailServer, type TestMailServer, withMailServer } from '@/server/testing/smtp-server';
import { sendMailboxMailJob, sendMailJob, withdrawMessages } from './outbox.service';
import { mailboxPatience, sendingJobs, sendMail } from './sending.service';

withFreshDatabase({ OUTBOUND_ALLOWLIST: '127.0.0.1' });
const operatorServer = withMailServer();
const startWorker = withJobs();

const address = 'shop@quark.example';

let mailboxServer: TestMailServer;
let desk: TestIdentity;
let ownAddress: string;

// Its certificate is one that is not trusted, as the server of a stranger has: what it says is noted, and nothing is sent to it. What is sent
// to one that is trusted is in submission.test.ts, and in e2e/process/mailboxes.spec.ts.
beforeEach(async () => {
  mailboxServer = await startTestMailServer({ security: 'tls', password: 'secret' });
  ownAddress = `desk@${randomUUID()}.example`;
  desk = await createTestIdentity({ address: ownAddress });
});

afterEach(() => mailboxServer.close());

const connect = (owner = desk, changes: object = {}) =>
  createMailbox(
    owner.actor,
    createMailboxInput.parse({
      ...{ address, host: '127.0.0.1', port: 1, password: 'secret' },
      outgoing: { host: '127.0.0.1', port: mailboxServer.port },
      ...changes,
    }),
  );

/** An email from an address, and its row in the outbox. */
async function written(from = address, owner = desk) {
  const input = newConversationInput.parse({ to: ['ann@x.example'], subject: 'Hello', text: 'Hi', from });
  const { message } = await startConversation(owner.actor, input);
  const listed = async () => {
    const found = (await listOutbox(owner.actor, {})).emails.find(({ messageId }) => messageId === message.id);
    if (!found) throw new Error('the email is not listed');
    return found;
  };
  return { messageId: message.id, id: (await listed()).id, listed };
}

describe('an email from the address of a mailbox', () => {
  test('is tried again if its server answers bit by bit', async () => {
    const [dripping, { send }] = [await startDrippingServer('220-'), mailboxPatience];
    try {
      mailboxPatience.send = 200;
      await connect(desk, { outgoing: { host: '127.0.0.1', port: dripping.port, security: 'starttls' } });
      const { id, listed } = await written();
      await sendMail(id, recordDelivery);
      expect(await listed()).toMatchObject({ attempts: 1, state: 'queued', error: 'The mail server takes too long.' });
      await expect.poll(() => dripping.open.size).toBe(0);
    } finally {
      mailboxPatience.send = send;
      await dripping.close();
    }
  });

  test('is for the server of the mailbox, also where there is no other one', async () => {
    await connect();
    overrideEnv({ SMTP_URL: undefined });
    const [own, { id, listed }] = [await written(ownAddress), await written()];
    expect(await findJob(sendMailboxMailJob, id)).toMatchObject({ lane: 'mailbox-mail', destination: desk.identityId });
    expect(await findJob(sendMailJob, id)).toBeUndefined();
    expect(await findJob(sendMailJob, own.id)).toBeDefined();
    expect(await listed()).toMatchObject({ canSend: true, state: 'queued' });
    expect(await own.listed()).toMatchObject({ canSend: false });
    await startWorker(...sendingJobs(recordDelivery));
    await expect.poll(async () => (await listed()).attempts).toBe(1);
    expect(await own.listed()).toMatchObject({ attempts: 0, state: 'queued' });
  });

  test('is sent by no other server, whatever becomes of that one', async () => {
    const mailbox = await connect();
    const { id, listed } = await written();
    await sendMail(id, recordDelivery);
    expect(await listed()).toMatchObject({ state: 'queued', error: expect.stringContaining('self-signed certificate') });

    await pool().query(
      `UPDATE mailboxes SET password = encode('\\x00'::bytea || decode(password, 'base64'), 'base64') WHERE id = $1`,
      [mailbox.id],
    );
    await sendMail(id, recordDelivery);
    expect(await listed()).toMatchObject({ state: 'queued', error: expect.stringMatching(/AUTH_SECRET has changed/) });

    await deleteMailbox(desk.actor, mailbox.id);
    await sendMail(id, recordDelivery);
    expect(await listed()).toMatchObject({ state: 'failed', error: expect.stringMatching(/disconnected/) });
    await resendMail(desk.actor, id);
    await sendMail(id, recordDelivery);
    expect(await listed()).toMatchObject({ state: 'failed' });
    expect([...mailboxServer.accepted, ...operatorServer.accepted]).toEqual([]);
  });

  test('is sent by the mailbox that has the address now when it is sent again', async () => {
    const first = await connect();
    const { id } = await written();
    await deleteMailbox(desk.actor, first.id);
    await sendMail(id, recordDelivery);
    const second = await connect();
    await resendMail(desk.actor, id);
    expect(await findJob(sendMailboxMailJob, id)).toBeDefined();
    const { rows } = await pool().query('SELECT mailbox_id FROM outbox_mails WHERE id = $1', [id]);
    expect(rows).toEqual([{ mailbox_id: second.id }]);
  });

  test('is withdrawn with its job', async () => {
    await connect();
    const { id, messageId } = await written();
    await transaction(desk.actor, (client) => withdrawMessages(client, desk.identityId, [messageId]));
    expect(await findJob(sendMailboxMailJob, id)).toBeUndefined();
  });

  test('can’t be written where the mailbox sends nothing, or is of another business', async () => {
    const stranger = await createTestIdentity();
    await connect(stranger);
    await expect(written()).rejects.toMatchObject({ code: 'invalid_request' });
    const mailbox = await connect(desk, { outgoing: null });
    await expect(written()).rejects.toMatchObject({ code: 'invalid_request' });
    await updateMailbox(desk.actor, { mailboxId: mailbox.id, outgoing: { host: '127.0.0.1', security: 'tls', password: 'x' } });
    await written();
  });
});
