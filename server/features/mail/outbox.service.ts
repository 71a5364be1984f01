import type pg from 'pg';
import { v7 } from 'uuid';
import type { IdentityActor } from '@/server/platform/actor';
import { pool } from '@/server/platform/db/pool';
import { rows } from '@/server/platform/db/sql';
import { type StatementRunner, transaction } from '@/server/platform/db/transaction';
import { AppError, notFound } from '@/server/platform/errors';
import { addJob, addJobs } from '@/server/platform/jobs/queue';
import { canSendMail } from '@/server/platform/mail/smtp-transport';
import { noteDelivery } from '../conversations/delivery.service';
import { countMails } from '../usage/quota.service';
import type { ListOutboxInput, OutboxList, OutboxMailRecord, OutboxStateName, OutgoingMail } from './mail.schema';

/** The job that sends one mail. */
export const sendMailJob = 'send-mail';

/** Mail to be sent. */
export interface NewOutboxMail {
  /** Null for mail to the person behind an account, which no identity sees and whose text is removed once it is settled. */
  identityId: string | null;
  /** What it is, e.g. `reply`. */
  kind: string;
  /** The message of a conversation that it carries. */
  messageId: string | null;
  messageIdHeader: string;
  subject: string;
  /** Mails of one topic reach each of their recipients in the order they were written: nobody is told the end before the beginning. */
  topic?: string;
  /** From then on it is of no use any more, and not sent. */
  expiresAt?: Date;
  mail: OutgoingMail;
}

/** Every address that is to get a mail, each once. */
function recipientsOf({ to, cc, bcc }: OutgoingMail): string[] {
  return [...new Set([...to, ...cc, ...bcc].map(({ email }) => email))];
}

/**
 * Puts mails into the outbox, inside the transaction that causes them: they are sent if, and only if, that succeeds. Without SMTP_URL
 * they wait there. A few statements however many they are.
 *
 * @throws AppError quota_exceeded where they are more than the plan of their identity includes a day
 */
export async function enqueueMails(client: pg.PoolClient, mails: readonly NewOutboxMail[]): Promise<void> {
  if (mails.length === 0) return;
  await enqueueUncounted(client, mails);
  // After all else: other mail of this identity waits from here to the end of the transaction.
  for (const identityId of [...new Set(mails.map((mail) => mail.identityId))].sort()) {
    if (identityId === null) continue;
    const own = mails.filter((mail) => mail.identityId === identityId);
    const recipients = own.reduce((sum, { mail }) => sum + recipientsOf(mail).length, 0);
    await countMails(client, identityId, own.length, recipients);
  }
}

/** The same for mail that no plan includes or limits: to the person behind an account. */
export async function enqueueUncounted(client: StatementRunner, mails: readonly NewOutboxMail[]): Promise<void> {
  const stored = mails.map((mail) => ({ ...mail, id: v7(), recipients: recipientsOf(mail.mail) }));
  await client.query({
    name: 'outbox-insert',
    text: `INSERT INTO outbox_mails (id, identity_id, message_id, kind, message_id_header, subject, recipients, topic, expires_at, mail)
      SELECT id, "identityId", "messageId", kind, "messageIdHeader", subject, recipients, topic, "expiresAt", mail
      FROM jsonb_to_recordset($1) AS given(
        id uuid, "identityId" uuid, "messageId" uuid, kind text, "messageIdHeader" text, subject text, recipients text[], topic text,
        "expiresAt" timestamptz, mail jsonb
      )`,
    values: [JSON.stringify(stored)],
  });
  await addJobs(client, sendMailJob, stored.map(mailJob));
}

/** Takes back mails of a topic and kind that are still waiting: what they announce will not happen. */
export async function withdrawMails(client: pg.PoolClient, identityId: string, topic: string, kind: string): Promise<void> {
  await client.query({
    name: 'outbox-withdraw',
    text: `DELETE FROM outbox_mails WHERE identity_id = $1 AND topic = $2 AND kind = $3 AND state = 'queued'`,
    values: [identityId, topic, kind],
  });
}

/** The job that sends this mail, and the key under which there is one of it at most. */
export function mailJob({ id }: { id: string }): { key: string; payload: { id: string } } {
  return { key: `mail:${id}`, payload: { id } };
}

/** Has the worker look at a mail, at once or later; a mail is never queued twice. */
export async function scheduleMail(client: pg.PoolClient, id: string, runAt?: Date): Promise<void> {
  const { key, payload } = mailJob({ id });
  await addJob(client, sendMailJob, payload, { key, ...(runAt ? { runAt } : {}) });
}

const outboxPageSize = 50;

interface OutboxRow extends Omit<OutboxMailRecord, 'from'> {
  mail: OutgoingMail;
  refusals: Record<string, string>;
}

/** All that went wrong with a mail: who will not get it and why, and why others have not got it yet. */
export function problemsOf({ refusals, error }: Pick<OutboxRow, 'refusals' | 'error'>): string | null {
  const refused = Object.entries(refusals).map(([email, reason]) => `${email}: ${reason}`);
  return [...refused, ...(error === null ? [] : [error])].join('; ') || null;
}

/** The outbox, newest first, a page at a time. */
export async function listOutbox(actor: IdentityActor, { state, conversationId, before }: ListOutboxInput): Promise<OutboxList> {
  const found = await rows<OutboxRow>(pool(), {
    isoTimes: true,
    text: `SELECT o.id, o.kind, o.state, o.subject, o.mail, o.recipients, o.attempts,
        CASE WHEN o.state = 'queued' THEN o.due_at END AS "dueAt", o.error, o.refusals, m.conversation_id AS "conversationId",
        o.message_id AS "messageId",
        o.created_at AS "createdAt", o.last_attempt_at AS "lastAttemptAt", o.sent_at AS "sentAt"
      FROM outbox_mails o LEFT JOIN messages m ON m.identity_id = o.identity_id AND m.id = o.message_id
      WHERE o.identity_id = $1 AND o.id < $2 ${state ? 'AND o.state = $4::outbox_state' : ''}
        ${conversationId ? `AND m.conversation_id = $${state ? 5 : 4}` : ''} ORDER BY o.id DESC LIMIT $3`,
    values: [
      actor.identityId,
      before ?? 'ffffffff-ffff-ffff-ffff-ffffffffffff',
      outboxPageSize + 1,
      ...(state ? [state] : []),
      ...(conversationId ? [conversationId] : []),
    ],
  });
  const mails = found.slice(0, outboxPageSize).map(({ mail, refusals, ...record }) => ({
    ...record,
    from: mail.from,
    error: problemsOf({ refusals, error: record.error }),
  }));
  return {
    mails,
    next: found.length > outboxPageSize ? (mails.at(-1)?.id ?? null) : null,
    counts: await countOutbox(actor.identityId),
    canSend: canSendMail(),
  };
}

/** Beyond this many of a state nobody counts. */
const outboxCountingLimit = 1_000;

/** How many mails are in each state, exact to a thousand. */
export async function countOutbox(identityId: string): Promise<Record<OutboxStateName, number>> {
  const count = (state: OutboxStateName) =>
    `(SELECT count(*)::int FROM (SELECT 1 FROM outbox_mails WHERE identity_id = $1 AND state = '${state}' LIMIT ${outboxCountingLimit}) x)`;
  const [counts] = await rows<Record<OutboxStateName, number>>(pool(), {
    name: 'outbox-count',
    text: `SELECT ${count('queued')} AS queued, ${count('sending')} AS sending, ${count('sent')} AS sent, ${count('failed')} AS failed`,
    values: [identityId],
  });
  return counts ?? { queued: 0, sending: 0, sent: 0, failed: 0 };
}

/**
 * Sends a mail again that failed or waits for its next try, with the same Message-ID: at once, with all tries before it, and only to
 * those who have not got it.
 *
 * @throws AppError not_found; conflict where it is being sent right now or was sent; quota_exceeded, since it is mail of today as well
 */
export async function resendMail(actor: IdentityActor, id: string): Promise<void> {
  await transaction(actor, async (client) => {
    const [mail] = await rows<{ state: OutboxStateName; message_id: string | null; lacking: number }>(client, {
      name: 'outbox-lock',
      text: `SELECT state, message_id, cardinality(ARRAY(
          SELECT unnest(recipients) EXCEPT (SELECT unnest(delivered) EXCEPT SELECT jsonb_object_keys(refusals))
        )) AS lacking FROM outbox_mails WHERE identity_id = $1 AND id = $2 FOR UPDATE`,
      values: [actor.identityId, id],
    });
    if (!mail) throw notFound();
    if (mail.state === 'sending') throw new AppError('conflict', 'This mail is being sent right now.');
    if (mail.state === 'sent') throw new AppError('conflict', 'This mail was sent already.');
    await client.query({
      name: 'outbox-resend',
      text: `UPDATE outbox_mails SET state = 'queued', attempts = 0, due_at = now(), error = NULL, refusals = '{}',
          delivered = ARRAY(SELECT unnest(delivered) EXCEPT SELECT jsonb_object_keys(refusals))
        WHERE identity_id = $1 AND id = $2`,
      values: [actor.identityId, id],
    });
    if (mail.message_id !== null) await noteDelivery(client, actor.identityId, mail.message_id, 'queued', new Date());
    await scheduleMail(client, id);
    await countMails(client, actor.identityId, 1, mail.lacking);
  });
}
