import type pg from 'pg';
import { v7 } from 'uuid';
import { pool } from '@/server/platform/db/pool';
import { rows } from '@/server/platform/db/sql';
import type { StatementRunner } from '@/server/platform/db/transaction';
import { addJob, addJobs } from '@/server/platform/jobs/queue';
import { countMails } from '../usage/quota.service';
import type { OutboxStateName, OutgoingMail } from './outbox.schema';

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

/** All that went wrong with a mail: who will not get it and why, and why others have not got it yet. */
export function problemsOf({ refusals, error }: { refusals: Record<string, string>; error: string | null }): string | null {
  const refused = Object.entries(refusals).map(([email, reason]) => `${email}: ${reason}`);
  return [...refused, ...(error === null ? [] : [error])].join('; ') || null;
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
