import type pg from 'pg';
import { v7 } from 'uuid';
import { pool } from '@/server/platform/db/pool';
import { rows } from '@/server/platform/db/sql';
import type { StatementRunner } from '@/server/platform/db/transaction';
import { JobKind, type NewJob } from '@/server/platform/jobs/job';
import { sendingMailbox } from '../mailboxes/mailbox.sql';
import { countMails, uncountMail } from '../usage/quota.service';
import type { OutboxStateName, OutgoingMail } from './outbox.schema';

/** A condition for mail whose content has not been removed. */
export const mailHasContent = `(mail ->> 'text') || (mail ->> 'html') <> ''`;

/** SQL for whether a mail has attachments. */
export const mailHasFiles = `mail ? 'attachments'`;

/** The jobs that send one mail: by SMTP_URL, and by the server of a mailbox. They alone decide when a mail is tried; `due_at` shows it. */
export const sendMailJob = new JobKind<{ id: string }>('send-mail', 'mail', 'account-mail', 'large-mail');
export const sendMailboxMailJob = new JobKind<{ id: string }>('send-mailbox-mail', 'mailbox-mail');

/** Kinds that a person waits for: they do not wait for notices, and the mail of businesses. */
const urgentKinds = new Set(['reset_password', 'confirm_email', 'address_code']);

/** A mail to send. */
export interface NewOutboxMail {
  /** Null for mail to an account holder, which no identity sees and whose text is removed once it is settled. */
  identityId: string | null;
  /** The kind of mail, e.g. `reply`. */
  kind: string;
  /** The conversation's message that it carries. */
  messageId: string | null;
  messageIdHeader: string;
  subject: string;
  /**
   * Mails of one topic reach each recipient in the order they were written, so that an update never precedes its invitation.
   */
  topic?: string;
  /** Not sent after this time. */
  expiresAt?: Date;
  /** Not sent before this time. */
  sendAt?: Date;
  /** True for one that is withdrawn if the other side writes before it is sent. */
  cancelIfReply?: boolean;
  /** What its message was written as, for its feature; kept until it is sent. */
  draft?: object;
  mail: OutgoingMail;
}

/** All recipients of a mail, without duplicates. */
function recipientsOf({ to, cc, bcc }: OutgoingMail): string[] {
  return [...new Set([...to, ...cc, ...bcc].map(({ email }) => email))];
}

/**
 * Adds mails to the outbox, inside the transaction that causes them: they are sent if, and only if, it succeeds. Without
 * SMTP_URL they wait there. A constant number of statements.
 *
 * @throws AppError quota_exceeded if they exceed the daily quota of their identity's plan, on the days when they are sent
 */
export async function enqueueMails(client: pg.PoolClient, mails: readonly NewOutboxMail[]): Promise<void> {
  if (mails.length === 0) return;
  const stored = mails.map(toStored);
  const inserted = await rows<{ id: string; mailboxId: string | null }>(client, {
    name: 'outbox-insert',
    text: `${insertion} RETURNING id, mailbox_id AS "mailboxId"`,
    values: [JSON.stringify(stored)],
  });
  const mailboxOf = new Map(inserted.map(({ id, mailboxId }) => [id, mailboxId]));
  await scheduleMails(
    client,
    stored.map((mail) => scheduled(mail, mailboxOf.get(mail.id) ?? null)),
  );
  // Last, because it blocks other mail of this identity until the end of the transaction.
  for (const identityId of [...new Set(mails.map((mail) => mail.identityId))].sort()) {
    if (identityId === null) continue;
    const own = mails.filter((mail) => mail.identityId === identityId);
    for (const day of [...new Set(own.map(dayOf))].sort()) {
      const together = own.filter((mail) => dayOf(mail) === day);
      const recipients = together.reduce((sum, { mail }) => sum + recipientsOf(mail).length, 0);
      await countMails(client, identityId, together.length, recipients, together[0]?.sendAt);
    }
  }
}

/** The UTC day for which an email counts; empty for today. */
const dayOf = ({ sendAt }: NewOutboxMail): string => sendAt?.toISOString().slice(0, 10) ?? '';

interface StoredMail extends NewOutboxMail {
  id: string;
  recipients: string[];
}

const toStored = (email: NewOutboxMail): StoredMail => ({ ...email, id: v7(), recipients: recipientsOf(email.mail) });

/** SQL that inserts emails, a JSON array, each with the mailbox by which it is sent. */
const insertion = `INSERT INTO outbox_mails (id, identity_id, message_id, kind, message_id_header, subject, recipients, topic, expires_at, send_at, due_at,
      cancel_if_reply, draft, mail, mailbox_id)
    SELECT id, "identityId", "messageId", kind, "messageIdHeader", subject, recipients, topic, "expiresAt", "sendAt", coalesce("sendAt", now()),
      coalesce("cancelIfReply", false), draft, mail, ${sendingMailbox('"identityId"', `mail -> 'from' ->> 'email'`)}
    FROM jsonb_to_recordset($1) AS given(
      id uuid, "identityId" uuid, "messageId" uuid, kind text, "messageIdHeader" text, subject text, recipients text[], topic text,
      "expiresAt" timestamptz, "sendAt" timestamptz, "cancelIfReply" boolean, draft jsonb, mail jsonb
    )`;

const scheduled = ({ id, identityId, kind, mail, sendAt: at }: StoredMail, mailboxId: string | null): ScheduledMail => ({
  ...{ id, identityId, kind, mailboxId, hasFiles: mail.attachments !== undefined },
  ...(at ? { time: { at } } : {}),
});

/** The same for mail without a quota: to account holders, by SMTP_URL. */
export async function enqueueUncounted(client: StatementRunner, mails: readonly NewOutboxMail[]): Promise<void> {
  const stored = mails.map(toStored);
  // No row of theirs can be read here, not even with RETURNING.
  await client.query({ name: 'outbox-insert-uncounted', text: insertion, values: [JSON.stringify(stored)] });
  await scheduleMails(
    client,
    stored.map((mail) => scheduled(mail, null)),
  );
}

/** The email of a message that is not sent after all. */
export interface WithdrawnMail {
  messageId: string;
  /** As `NewOutboxMail`. */
  draft: object | null;
}

interface WithdrawnRow extends WithdrawnMail {
  id: string;
  recipients: number;
  countedAt: Date;
}

/**
 * Withdraws the emails of messages that have not reached any recipient, and takes back what they count. Those that are being sent, were
 * sent or have failed stay.
 */
export async function withdrawMessages(
  client: pg.PoolClient,
  identityId: string,
  messageIds: readonly string[],
): Promise<WithdrawnMail[]> {
  const withdrawn = await rows<WithdrawnRow>(client, {
    name: 'outbox-withdraw-messages',
    // One that is locked is being taken to be sent. Waiting for it could be a deadlock: its result locks the conversation.
    text: `WITH waiting AS (
        SELECT id FROM outbox_mails WHERE identity_id = $1 AND message_id = ANY($2::uuid[]) AND state = 'queued' AND delivered = '{}'
        FOR UPDATE SKIP LOCKED
      )
      DELETE FROM outbox_mails o USING waiting WHERE o.id = waiting.id
      RETURNING o.id, o.message_id AS "messageId", o.draft, cardinality(o.recipients) AS recipients,
        coalesce(o.send_at, o.created_at) AS "countedAt"`,
    values: [identityId, messageIds],
  });
  for (const { id, recipients, countedAt } of withdrawn) {
    await sendMailJob.cancel(client, id);
    await sendMailboxMailJob.cancel(client, id);
    await uncountMail(client, identityId, recipients, countedAt);
  }
  return withdrawn;
}

/** Removes queued mails of a topic and kind that are no longer valid. */
export async function withdrawMails(client: pg.PoolClient, identityId: string, topic: string, kind: string): Promise<void> {
  await client.query({
    name: 'outbox-withdraw',
    text: `DELETE FROM outbox_mails WHERE identity_id = $1 AND topic = $2 AND kind = $3 AND state = 'queued'`,
    values: [identityId, topic, kind],
  });
}

/** Withdraws all unsent mail of a business that is being deleted. */
export async function withdrawUnsent(client: pg.PoolClient, identityId: string): Promise<void> {
  await client.query({
    name: 'outbox-withdraw-unsent',
    text: `DELETE FROM outbox_mails WHERE identity_id = $1 AND state IN ('queued', 'sending')`,
    values: [identityId],
  });
}

/** What the job of a mail depends on. */
export interface MailToSend {
  id: string;
  kind: string;
  hasFiles: boolean;
  identityId: string | null;
  /** By whose server it is sent; null for SMTP_URL. */
  mailboxId: string | null;
}

export interface ScheduledMail extends MailToSend {
  /** Immediately by default. */
  time?: Pick<NewJob<object>, 'at' | 'inSeconds' | 'orSooner'>;
}

/** Schedules the jobs of emails; none is queued twice. */
export async function scheduleMails(client: StatementRunner, emails: readonly ScheduledMail[]): Promise<void> {
  const byServer: NewJob<{ id: string }>[] = [];
  const byMailbox: NewJob<{ id: string }>[] = [];
  for (const { id, kind, hasFiles, identityId, mailboxId, time } of emails) {
    const job = { key: id, payload: { id }, ...time };
    const lane = hasFiles ? 'large-mail' : 'mail';
    if (mailboxId === null) byServer.push({ ...job, lane: urgentKinds.has(kind) ? 'account-mail' : lane });
    else byMailbox.push({ ...job, destination: identityId ?? mailboxId });
  }
  await sendMailJob.schedule(client, byServer);
  await sendMailboxMailJob.schedule(client, byMailbox);
}

/** Entries of an email's delivery log; larger than `maximumAttempts`. */
const deliveryLogMaximum = 50;

/**
 * SQL for `outbox_mails.delivery_log` with another entry at its end and at most its newest 50.
 *
 * @param entry SQL for the JSON of an entry, as `deliveryLogEntrySchema` has it, without its time
 * @param at SQL for its time
 */
export const deliveryLogWith = (entry: string, at: string): string =>
  `jsonb_path_query_array(delivery_log || (${entry} || jsonb_build_object('at', ${at})), '$[last - ${deliveryLogMaximum - 1} to last]')`;

/** All problems of a mail: permanent refusals by recipient, and why others have not got it yet. */
export function problemsOf({ refusals, error }: { refusals: Record<string, string>; error: string | null }): string | null {
  const refused = Object.entries(refusals).map(([email, reason]) => `${email}: ${reason}`);
  return [...refused, ...(error === null ? [] : [error])].join('; ') || null;
}

/** Counts per state stop here. */
const outboxCountingLimit = 1_000;

/** Number of mails per state, exact up to a thousand. */
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
