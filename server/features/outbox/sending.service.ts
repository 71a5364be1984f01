import type pg from 'pg';
import { withLease } from '@/server/platform/db/lease';
import { pool } from '@/server/platform/db/pool';
import { batchOf, inBatches, removeInBatches } from '@/server/platform/db/remove-in-batches';
import { rows } from '@/server/platform/db/sql';
import { transaction } from '@/server/platform/db/transaction';
import { env } from '@/server/platform/env';
import { toAppError } from '@/server/platform/errors';
import { everyMinutes, type JobHandler, StandingJob } from '@/server/platform/jobs/job';
import { log } from '@/server/platform/log';
import {
  type RejectedRecipient,
  SendFailure,
  SendInterrupted,
  type SendResult,
  sendOverSmtp,
} from '@/server/platform/mail/smtp-transport';
import { logFailure } from '@/server/platform/outage-log';
import { oncePerProcess } from '@/server/platform/process-globals';
import { cutText } from '@/server/platform/text';
import type { DeliveryLogEntry, OutgoingMail } from './outbox.schema';
import { deliveryLogWith, type MailToSend, mailHasContent, mailJob, scheduleMail, sendMailJob } from './outbox.service';
import { retryDelay } from './retry';

/**
 * Sending (docs/adr/0008). A mail goes queued → sending → sent or failed, or back to queued with a later time. Only the holder
 * of its lease changes it, so it is sent once; a process that dies loses its leases, and the next one that finds such a mail
 * "sending" takes it over. So a mail can be sent twice only if its acceptance could not be recorded, and then with the same
 * Message-ID. A server that stops gives running sends some seconds to end, and then releases them.
 */

/** Called in the transaction that records that the mail of a message was sent, or failed permanently. */
export type OnSettled = (
  client: pg.PoolClient,
  identityId: string,
  messageId: string,
  outcome: 'sent' | 'failed',
  at: Date,
) => Promise<void>;

interface DueMail {
  id: string;
  /** Null for mail to an account holder. */
  identity_id: string | null;
  message_id: string | null;
  message_id_header: string;
  subject: string;
  /** Recipients who neither have it nor were refused. */
  pending: string[];
  mail: OutgoingMail;
  /** Including this one; a takeover increments it, which distinguishes the two. */
  attempts: number;
  created_at: Date;
  claimedAt: string;
  kind: string;
  topic: string | null;
  isExpired: boolean | null;
}

/**
 * Sends one mail, if it is due and no other process sends it. Idempotent.
 *
 * @param onSettled called for a mail that carries a message of a conversation
 * @param signal server shutdown: releases the mail
 */
export async function sendMail(id: string, onSettled: OnSettled, signal?: AbortSignal): Promise<void> {
  const url = env().SMTP_URL;
  if (url === undefined) return;
  await withLease(`mail:${id}`, async () => {
    const due = await claim(id);
    if (!due) return;
    const result = await transmit(url, due, signal);
    if (result instanceof SendInterrupted) return release(due, result);
    await retryWhileUnavailable(() => recordOutcome(due, outcomeOf(due, result), onSettled), signal);
  });
}

/**
 * Releases a mail for the next server. One that was transmitted completely stays "sending", because it may have been accepted:
 * it is retried with the same Message-ID only by a process that starts later, or by another one after a while.
 */
async function release(due: DueMail, { mayBeAccepted }: SendInterrupted): Promise<void> {
  log().info({ mailId: due.id, mayBeAccepted }, 'mail that was being sent is left to the next server');
  if (mayBeAccepted) return;
  await transaction({ kind: 'system', cause: 'delivery' }, async (client) => {
    const { rowCount } = await client.query({
      name: 'outbox-hand-back',
      text: `UPDATE outbox_mails SET state = 'queued', attempts = attempts - 1 WHERE id = $1 AND state = 'sending' AND attempts = $2`,
      values: [due.id, due.attempts],
    });
    if (rowCount) await scheduleMail(client, due);
  });
}

/** Seconds; longer than a mail can take to send, since a server may be silent for ten minutes. */
const takeoverSeconds = 900;

/**
 * Claims of this process whose COMMIT was not confirmed, because the connection was lost: the times of the claims by mail. A row
 * with such a time was claimed by this process.
 */
const unansweredClaims = () => oncePerProcess('unanswered-mail-claims', () => new Map<string, string[]>());

/**
 * When this process began to send or to look for mail, by `performance.now()`: not when it was started, since its predecessor's last
 * claim may be carried out by the database some time after it was killed.
 */
const sendingSince = () => oncePerProcess('mail-sending-since', () => performance.now());

/**
 * Claims a mail for sending. One that is "sending" without a lease was left by a process that died: by this one's predecessor,
 * if that was before this process began to send; otherwise its sender may have lost only its lease, so it is left alone until that
 * one must have ended. That time is computed from the monotonic clock, so that both times are the database's.
 * An unconfirmed claim of this process is taken over at once.
 */
async function claim(id: string): Promise<DueMail | undefined> {
  const unanswered = unansweredClaims().get(id) ?? [];
  const since = sendingSince();
  let claimed: DueMail | undefined;
  try {
    await transaction({ kind: 'system', cause: 'delivery' }, async (client) => {
      [claimed] = await rows<DueMail>(client, {
        name: 'outbox-claim',
        text: `UPDATE outbox_mails SET state = 'sending', attempts = attempts + 1, last_attempt_at = now()
          WHERE id = $1 AND ((state = 'queued' AND due_at <= now()) OR (state = 'sending' AND (last_attempt_at IS NULL
              OR last_attempt_at < now() - make_interval(secs => $2) OR last_attempt_at = ANY ($3::timestamptz[]))))
            AND (topic IS NULL OR NOT EXISTS (
              SELECT 1 FROM outbox_mails older WHERE older.identity_id = outbox_mails.identity_id AND older.topic = outbox_mails.topic
                AND older.state IN ('queued', 'sending') AND older.id < outbox_mails.id AND older.recipients && outbox_mails.recipients
            ))
          RETURNING id, identity_id, kind, message_id, message_id_header, subject, mail, attempts, created_at, topic,
            last_attempt_at::text AS "claimedAt", expires_at <= now() AS "isExpired",
            ARRAY(
              SELECT recipient FROM unnest(recipients) WITH ORDINALITY AS given(recipient, position)
              WHERE recipient <> ALL (delivered) AND NOT refusals ? recipient ORDER BY position
            ) AS pending`,
        values: [id, Math.min((performance.now() - since) / 1000, takeoverSeconds), unanswered],
      });
    });
  } catch (error) {
    if (claimed) unansweredClaims().set(id, [...unanswered, claimed.claimedAt]);
    throw error;
  }
  unansweredClaims().delete(id);
  return claimed;
}

async function transmit(url: string, due: DueMail, signal?: AbortSignal): Promise<SendResult | SendFailure | SendInterrupted> {
  const { bcc: _, ...content } = due.mail;
  const { message_id_header: messageId, subject, pending, created_at: date } = due;
  // All recipients are settled; only the result is missing.
  if (pending.length === 0) return { response: '', rejected: [] };
  if (due.isExpired) return new SendFailure('Expired before it could be sent.', true);
  try {
    const mail = { ...content, messageId, recipients: pending, subject, date };
    return await sendOverSmtp(url, mail, signal);
  } catch (error) {
    if (error instanceof SendFailure || error instanceof SendInterrupted) return error;
    log().error({ err: error, mailId: due.id }, 'mail could not be made');
    return new SendFailure('The email could not be created.', true);
  }
}

/** Result of one attempt. */
interface Outcome {
  delivered: string[];
  /** Reasons by address of permanently refused recipients. */
  refusals: Record<string, string>;
  /** The error for recipients who may still get it; null if there are none. */
  error: string | null;
  /** Seconds until the next attempt; null if no recipients or attempts are left. */
  retryAfter: number | null;
  response: string;
}

/** The error for this recipient, else for all. */
function failureFor(email: string, { rejected, isPermanent, message }: SendFailure): RejectedRecipient {
  return rejected.find((rejection) => rejection.email === email) ?? { email, isPermanent, response: message };
}

function outcomeOf(due: DueMail, result: SendResult | SendFailure): Outcome {
  const seconds = retryDelay(due.attempts);
  const rejected = result instanceof SendFailure ? due.pending.map((email) => failureFor(email, result)) : result.rejected;
  const isFinal = ({ isPermanent }: { isPermanent: boolean }) => isPermanent || seconds === undefined;
  const later = rejected.filter((rejection) => !isFinal(rejection));
  return {
    delivered: due.pending.filter((email) => !rejected.some((rejection) => rejection.email === email)),
    refusals: Object.fromEntries(rejected.filter(isFinal).map(({ email, response }) => [email, cutText(response, 500)])),
    error: later.length === 0 ? null : cutText([...new Set(later.map(({ response }) => response))].join('; '), 2000),
    retryAfter: later.length === 0 || seconds === undefined ? null : seconds,
    response: result instanceof SendFailure ? '' : cutText(result.response, 1000),
  };
}

function logEntryOf({ delivered, refusals, error, response }: Outcome): Omit<DeliveryLogEntry, 'at'> {
  return { kind: 'attempt', delivered, refusals, error, response };
}

const recordingPause = 500;
const recordingAttempts = 240;

/**
 * An accepted mail must not be sent again, so a temporary loss of the database is waited out: at most two minutes, and at most
 * until this server stops.
 */
async function retryWhileUnavailable(work: () => Promise<void>, signal?: AbortSignal): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (attempt >= recordingAttempts || signal?.aborted || toAppError(error).code !== 'unavailable') throw error;
      logFailure(error, {}, 'the fate of a mail could not be noted yet');
      await new Promise((resolve) => setTimeout(resolve, recordingPause));
    }
  }
}

/**
 * Merges the result into the stored state; a bounce may have arrived meanwhile and is kept. A mail is sent when all recipients
 * have it, and failed when one of them will not get it. Mail to an account may contain a secret: its text is removed with the
 * last attempt.
 */
async function recordOutcome(due: DueMail, outcome: Outcome, onSettled: OnSettled): Promise<void> {
  await transaction({ kind: 'system', cause: 'delivery' }, async (client) => {
    const [changed] = await rows<{ state: 'queued' | 'sent' | 'failed'; due_at: Date; now: Date }>(client, {
      name: 'outbox-note',
      text: `UPDATE outbox_mails SET delivered = delivered || $3::text[], refusals = $4::jsonb || refusals, error = $5,
          due_at = coalesce(now() + make_interval(secs => $6), due_at), response = coalesce(nullif($7, ''), response),
          sent_at = CASE WHEN cardinality(delivered || $3::text[]) > 0 THEN coalesce(sent_at, now()) END,
          state = (CASE WHEN $6::float8 IS NOT NULL THEN 'queued' WHEN $4::jsonb || refusals = '{}' THEN 'sent' ELSE 'failed' END)::outbox_state,
          delivery_log = ${deliveryLogWith('$8::jsonb', 'last_attempt_at')},
          mail = CASE WHEN identity_id IS NULL AND $6::float8 IS NULL THEN mail || '{"text": "", "html": ""}' ELSE mail END
        WHERE id = $1 AND state = 'sending' AND attempts = $2 RETURNING state, due_at, now()`,
      values: [
        due.id,
        due.attempts,
        outcome.delivered,
        JSON.stringify(outcome.refusals),
        outcome.error,
        outcome.retryAfter,
        outcome.response,
        JSON.stringify(logEntryOf(outcome)),
      ],
    });
    // Another process has taken the mail over.
    if (!changed) return;
    if (changed.state === 'failed') log().warn({ mailId: due.id, attempts: due.attempts }, 'mail could not be delivered to all');
    if (changed.state === 'queued') await scheduleMail(client, due, changed.due_at);
    else if (due.topic !== null) await scheduleTopic(client, due);
    if (changed.state !== 'queued' && due.identity_id !== null && due.message_id !== null) {
      await onSettled(client, due.identity_id, due.message_id, changed.state, changed.now);
    }
  });
}

/** Schedules the mails that waited for a settled mail of the same topic. */
async function scheduleTopic(client: pg.PoolClient, { identity_id, topic, id }: DueMail): Promise<void> {
  const waiting = await rows<MailToSend>(client, {
    name: 'outbox-topic',
    text: `SELECT id, kind FROM outbox_mails WHERE identity_id = $1 AND topic = $2 AND id > $3 AND state = 'queued' AND due_at <= now()
      ORDER BY id LIMIT ${sweepSize}`,
    values: [identity_id, topic, id],
  });
  await sendMailJob.schedule(client, waiting.map(mailJob));
}

/** Mails per sweep. */
const sweepSize = 500;

/**
 * Corrects times that were written while the clock was ahead. Mail that has not been tried is always due; one whose last
 * attempt is in the future is due as well, instead of a day late; and a send that started in the future is treated as started
 * now.
 */
async function correctTimes(): Promise<void> {
  const soon = `now() + interval '1 minute'`;
  await transaction({ kind: 'system', cause: 'delivery' }, (client) =>
    client.query({
      name: 'outbox-mend-times',
      text: `UPDATE outbox_mails SET last_attempt_at = least(last_attempt_at, now()), due_at = now()
        WHERE state IN ('queued', 'sending') AND (last_attempt_at > ${soon} OR (attempts = 0 AND state = 'queued' AND due_at > ${soon}))`,
    }),
  );
}

/**
 * Schedules mail that is due but has no job: written while SMTP_URL was not set, or being sent by a process that died. For mail
 * that is being sent right now, the extra job does nothing: its lease is taken.
 */
export async function sweepOutbox(): Promise<void> {
  if (env().SMTP_URL === undefined) return;
  sendingSince();
  await correctTimes();
  const due = await rows<MailToSend>(pool(), {
    name: 'outbox-due',
    text: `SELECT id, kind FROM outbox_mails WHERE state IN ('queued', 'sending') AND due_at <= now() ORDER BY due_at LIMIT ${sweepSize}`,
    values: [],
  });
  await sendMailJob.schedule(pool(), due.map(mailJob));
}

/**
 * Removes mail to accounts after a week. Of a business' settled mail older than OUTBOX_RETENTION_DAYS, what carries a message of
 * a conversation loses its content, which the message has; the rest is removed.
 */
export async function removeOldMail(signal?: AbortSignal): Promise<void> {
  const table = 'outbox_mails';
  await removeInBatches({ table, condition: `identity_id IS NULL AND created_at < now() - interval '7 days'`, signal });
  const days = env().OUTBOX_RETENTION_DAYS;
  if (days === 0) return;
  const isOld = `identity_id IS NOT NULL AND created_at < now() - make_interval(days => $1) AND state IN ('sent', 'failed')`;
  const condition = `${isOld} AND message_id IS NULL`;
  await removeInBatches({ table, condition, values: [days], erased: '*', signal });
  const hasContent = `${isOld} AND message_id IS NOT NULL AND ${mailHasContent}`;
  await inBatches(
    async (client, batchSize) => {
      const text = `UPDATE outbox_mails SET mail = mail || '{"text": "", "html": ""}' WHERE ${batchOf(table, hasContent, batchSize)}`;
      return (await client.query(text, [days])).rowCount ?? 0;
    },
    { signal },
  );
}

/** Sends mail. */
export function sendingJob(onSettled: OnSettled): JobHandler {
  return sendMailJob.handledBy(({ payload, signal }) => sendMail(payload.id, onSettled, signal));
}

export const outboxSweep = new StandingJob('sweep-outbox', everyMinutes(1), sweepOutbox);
