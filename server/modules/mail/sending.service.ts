import { withLease } from '@/server/db/lease';
import { pool } from '@/server/db/pool';
import { rows, transaction } from '@/server/db/sql';
import { env } from '@/server/env';
import type { JobDefinitions } from '@/server/jobs/worker';
import { log } from '@/server/log';
import { SendFailure, type SendResult, sendOverSmtp } from '@/server/mail/smtp-transport';
import { noteDelivery } from '../conversations/delivery.service';
import type { OutgoingMail } from './mail.schema';
import { scheduleMail, sendMailJob } from './outbox.service';
import { retryDelay } from './retry';

/**
 * Sending (docs/adr/0008). A mail goes queued → sending → sent or failed, or back to queued with a later time. Only who holds the
 * mail's lease touches it, so it is handed over once; a process that dies loses its leases, and whoever finds such a mail "sending"
 * takes it up again. So a mail can reach the server twice only where its acceptance could not be noted any more, and then with the
 * same Message-ID.
 */

interface DueMail {
  id: string;
  identity_id: string;
  message_id: string | null;
  message_id_header: string;
  subject: string;
  recipients: string[];
  mail: OutgoingMail;
  attempts: number;
  created_at: Date;
}

/** Sends one mail, if it is due and nobody else does. Safe to call at any time, as often as one likes. */
export async function sendMail(id: string): Promise<void> {
  const url = env().SMTP_URL;
  if (url === undefined) return;
  await withLease(`mail:${id}`, async () => {
    const due = await claim(id);
    if (!due) return;
    const outcome = await handOver(url, due);
    await noted(() => (outcome instanceof SendFailure ? noteFailure(due, outcome) : noteSuccess(due, outcome)));
  });
}

async function claim(id: string): Promise<DueMail | undefined> {
  const [due] = await rows<DueMail>(pool(), {
    name: 'outbox-claim',
    text: `UPDATE outbox_mails SET state = 'sending', attempts = attempts + 1, last_attempt_at = now()
      WHERE id = $1 AND (state = 'sending' OR (state = 'queued' AND due_at <= now()))
      RETURNING id, identity_id, message_id, message_id_header, subject, recipients, mail, attempts, created_at`,
    values: [id],
  });
  return due;
}

async function handOver(url: string, due: DueMail): Promise<SendResult | SendFailure> {
  const { from, replyTo, to, cc, text, html, inReplyTo, references } = due.mail;
  const { message_id_header: messageId, subject, recipients, created_at: date } = due;
  try {
    return await sendOverSmtp(url, {
      messageId,
      from,
      replyTo,
      to,
      cc,
      recipients,
      subject,
      text,
      html,
      inReplyTo,
      references,
      date,
    });
  } catch (error) {
    if (error instanceof SendFailure) return error;
    log().error({ err: error, mailId: due.id }, 'mail could not be made');
    return new SendFailure(error instanceof Error ? error.message : String(error), true);
  }
}

const notingPause = 500;
const notingTries = 240;

/** What a server has accepted must not be sent again, so a database that is gone for a moment is waited for (two minutes at most). */
async function noted(note: () => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await note();
    } catch (error) {
      if (attempt >= notingTries) throw error;
      log().warn({ err: error }, 'the fate of a mail could not be noted yet');
      await new Promise((resolve) => setTimeout(resolve, notingPause));
    }
  }
}

async function noteSuccess(due: DueMail, { response, rejected }: SendResult): Promise<void> {
  const later = rejected.filter(({ isPermanent }) => !isPermanent);
  const error = rejected.map(({ email, response: said }) => `${email}: ${said}`).join('; ') || null;
  // Those who have it are done; a server that asks to come back for the others (greylisting, say) gets them alone.
  if (
    later.length > 0 &&
    (await postpone(
      due,
      error ?? '',
      later.map(({ email }) => email),
    ))
  )
    return;
  await transaction(async (client) => {
    const now = new Date();
    await client.query({
      name: 'outbox-sent',
      text: `UPDATE outbox_mails SET state = 'sent', sent_at = $2, response = $3, error = $4 WHERE id = $1`,
      values: [due.id, now, response.slice(0, 1000), error?.slice(0, 2000) ?? null],
    });
    if (due.message_id !== null) await noteDelivery(client, due.identity_id, due.message_id, 'sent', now);
  });
}

async function noteFailure(due: DueMail, failure: SendFailure): Promise<void> {
  if (!failure.isPermanent && (await postpone(due, failure.message, due.recipients))) return;
  log().warn({ mailId: due.id, attempts: due.attempts }, 'mail given up');
  await transaction(async (client) => {
    await client.query({
      name: 'outbox-failed',
      text: `UPDATE outbox_mails SET state = 'failed', error = $2 WHERE id = $1`,
      values: [due.id, failure.message.slice(0, 2000)],
    });
    if (due.message_id !== null) await noteDelivery(client, due.identity_id, due.message_id, 'failed', new Date());
  });
}

/** Puts a mail back for a later try. @returns false where it was the last */
async function postpone(due: DueMail, error: string, recipients: string[]): Promise<boolean> {
  const seconds = retryDelay(due.attempts);
  if (seconds === undefined) return false;
  const dueAt = new Date(Date.now() + seconds * 1000);
  await transaction(async (client) => {
    await client.query({
      name: 'outbox-postpone',
      text: `UPDATE outbox_mails SET state = 'queued', due_at = $2, error = $3, recipients = $4 WHERE id = $1`,
      values: [due.id, dueAt, error.slice(0, 2000), recipients],
    });
    await scheduleMail(client, due.id, dueAt);
  });
  return true;
}

/** Mails looked at in one sweep. */
const sweepSize = 500;

/**
 * Has the worker look at mail that is due but has no job any more: written while SMTP_URL was not set, or being sent by a process that
 * died. Mail that is being sent right now is looked at for nothing: its lease is taken.
 */
export async function sweepOutbox(): Promise<void> {
  if (env().SMTP_URL === undefined) return;
  await transaction(async (client) => {
    const due = await rows<{ id: string }>(client, {
      name: 'outbox-due',
      text: `SELECT id FROM outbox_mails WHERE state IN ('queued', 'sending') AND due_at <= now() ORDER BY due_at LIMIT ${sweepSize}`,
      values: [],
    });
    for (const { id } of due) await scheduleMail(client, id);
  });
}

/** The worker's part in mail. */
export const mailJobs: JobDefinitions = {
  tasks: {
    [sendMailJob]: async (payload) => sendMail((payload as { id: string }).id),
    'sweep-outbox': sweepOutbox,
  },
  crontab: ['* * * * * sweep-outbox'],
};
