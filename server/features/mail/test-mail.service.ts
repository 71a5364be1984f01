import type pg from 'pg';
import type { IdentityActor, SessionActor } from '@/server/platform/actor';
import { users } from '@/server/platform/auth/accounts.sql';
import { pool } from '@/server/platform/db/pool';
import { serialize } from '@/server/platform/db/serialize';
import { rows } from '@/server/platform/db/sql';
import { transaction } from '@/server/platform/db/transaction';
import { publicUrl } from '@/server/platform/env';
import { AppError, notFound } from '@/server/platform/errors';
import { textToHtml } from '@/server/platform/html/text-to-html';
import { newMessageId } from '@/server/platform/mail/mail-headers';
import { enqueueMails, type NewOutboxMail, problemsOf } from '../outbox/outbox.service';
import { ownAddresses, type Sender, sendersOf } from '../own-addresses/own-address.service';
import type { TestMail } from './status.schema';

const testKind = 'test';

/** Milliseconds. A test mail that can't be sent within the hour expires. */
const lifetime = 3_600_000;
/** Enough for testing settings, too few to flood a mailbox. */
const testsMaximum = 5;
const testsWindow = '10 minutes';

/**
 * Sends a mail to the signed-in owner through the outbox, like any other mail.
 *
 * @throws AppError conflict for a business without a sender address; rate_limit_exceeded after five in ten minutes
 */
export async function sendTestMail(actor: SessionActor & IdentityActor): Promise<TestMail> {
  const { identityId, userId } = actor;
  const id = await transaction(actor, async (client) => {
    await refuseTooMany(client, identityId);
    const own = await ownAddresses(client, identityId);
    const [sender] = sendersOf(own, null);
    if (!sender) throw new AppError('conflict', 'This business has no address to send from. Add one on the business profile.');
    const [owner] = await rows<{ email: string }>(client, {
      name: 'test-mail-owner',
      text: `SELECT email FROM ${users} users WHERE id = $1`,
      values: [userId],
    });
    if (!owner) throw notFound();
    const mail = compose(identityId, sender, owner.email);
    await enqueueMails(client, [mail]);
    const [stored] = await rows<{ id: string }>(client, {
      name: 'test-mail-stored',
      text: 'SELECT id FROM outbox_mails WHERE identity_id = $1 AND message_id_header = $2',
      values: [identityId, mail.messageIdHeader],
    });
    if (!stored) throw new Error('A mail just written is there.');
    return stored.id;
  });
  return getTestMail(actor, id);
}

/** Times in the future come from a clock that was ahead, and do not count. */
async function refuseTooMany(client: pg.PoolClient, identityId: string): Promise<void> {
  await serialize(client, 'test-emails', identityId);
  const [recent] = await rows<{ count: number }>(client, {
    name: 'test-mail-count',
    text: `SELECT count(*)::int AS count FROM (
        SELECT kind, created_at FROM outbox_mails WHERE identity_id = $1 ORDER BY id DESC LIMIT 1000
      ) latest WHERE kind = '${testKind}' AND created_at BETWEEN now() - interval '${testsWindow}' AND now() + interval '1 minute'`,
    values: [identityId],
  });
  if ((recent?.count ?? 0) < testsMaximum) return;
  throw new AppError('rate_limit_exceeded', `Wait a little: at most ${testsMaximum} test mails go out in ${testsWindow}.`, {
    headers: { 'Retry-After': '600' },
  });
}

function compose(identityId: string, sender: Sender, recipient: string): NewOutboxMail {
  const text = [
    'This is a test email from Frontdesk. Sending works.',
    `It was requested at ${publicUrl()}/settings/mail and sent from ${sender.email}.`,
    'If it landed in spam, check the SPF record of the sender’s domain.',
  ].join('\n\n');
  return {
    identityId,
    kind: testKind,
    messageId: null,
    messageIdHeader: newMessageId(sender.email),
    subject: 'Test email from Frontdesk',
    expiresAt: new Date(Date.now() + lifetime),
    mail: {
      from: { email: sender.email, displayName: sender.displayName },
      to: [{ email: recipient, displayName: null }],
      cc: [],
      bcc: [],
      text,
      html: textToHtml(text),
      inReplyTo: null,
      references: [],
      isAutomatic: true,
    },
  };
}

interface TestMailRow extends TestMail {
  refusals: Record<string, string>;
}

/** State of a test mail. @throws AppError not_found, also for mails that are not tests */
export async function getTestMail({ identityId }: IdentityActor, id: string): Promise<TestMail> {
  const [mail] = await rows<TestMailRow>(pool(), {
    name: 'test-mail',
    isoTimes: true,
    text: `SELECT id, recipients[1] AS recipient, state, error, refusals, sent_at AS "sentAt" FROM outbox_mails
      WHERE identity_id = $1 AND id = $2 AND kind = '${testKind}'`,
    values: [identityId, id],
  });
  if (!mail) throw notFound();
  const { refusals: _, ...shown } = mail;
  return { ...shown, error: problemsOf(mail) };
}
