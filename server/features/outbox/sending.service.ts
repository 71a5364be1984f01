import type pg from 'pg';
import { batchOf, inBatches, removeInBatches } from '@/server/platform/db/remove-in-batches';
import { rows } from '@/server/platform/db/sql';
import { transaction } from '@/server/platform/db/transaction';
import { env } from '@/server/platform/env';
import { toAppError } from '@/server/platform/errors';
import { openStored } from '@/server/platform/files/content-store';
import type { Job, JobHandler } from '@/server/platform/jobs/job';
import { log } from '@/server/platform/log';
import type { OutboundFile } from '@/server/platform/mail/email-content';
import {
  canSendMail,
  operatorTarget,
  type RejectedRecipient,
  SendFailure,
  SendInterrupted,
  type SendResult,
  type SmtpTarget,
  sendOverSmtp,
} from '@/server/platform/mail/smtp-transport';
import { logFailure } from '@/server/platform/outage-log';
import { cutText } from '@/server/platform/text';
import { mailboxTarget } from './mailbox-target';
import type { DeliveryLogEntry, OutgoingMail } from './outbox.schema';
import {
  deliveryLogWith,
  type MailToSend,
  mailHasContent,
  mailHasFiles,
  scheduleMails,
  sendMailboxMailJob,
  sendMailJob,
} from './outbox.service';
import { maximumAttempts, retryDelay } from './retry';

/**
 * Sending (docs/adr/0008). A mail goes queued → sending → sent or failed, or back to queued, to be tried later. Its job runs in one process
 * at a time, so an email that is "sending" when its job begins was left by a process that died, and is sent again. So an email can be sent
 * twice only if its acceptance could not be recorded, and then with the same Message-ID.
 */

/** Called in the transaction that records that the mail of a message was sent, or failed permanently. */
export type OnSettled = (
  client: pg.PoolClient,
  identityId: string,
  messageId: string,
  outcome: 'sent' | 'failed',
  at: Date,
) => Promise<void>;

type MailFile = NonNullable<OutgoingMail['attachments']>[number];

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
  /** Including this one. Only the last attempt is recorded: of a process that was declared dead, another has begun the next one. */
  attempts: number;
  /** When it was written, or was to be sent. */
  date: Date;
  kind: string;
  topic: string | null;
  /** By whose server it is sent; null for SMTP_URL. */
  mailbox_id: string | null;
  isExpired: boolean | null;
}

/**
 * Sends one mail; the work of its job. Does nothing if it is settled, or waits for an older one of its topic.
 *
 * @param onSettled called for a mail that carries a message of a conversation
 * @param signal aborts it: the mail is left to the next run
 * @throws SendInterrupted if `signal` aborted it before the mail server had the whole mail
 */
export async function sendMail(id: string, onSettled: OnSettled, signal?: AbortSignal): Promise<void> {
  const due = await claim(id);
  if (!due) return;
  const result = await transmit(due, signal);
  if (result instanceof SendInterrupted) {
    await release(due);
    throw result;
  }
  await retryWhileUnavailable(() => recordOutcome(due, outcomeOf(due, result), onSettled), signal);
}

/** Makes a mail queued as if it had not been tried. */
async function release({ id, attempts }: DueMail): Promise<void> {
  log().info({ mailId: id }, 'mail that was being sent is left to the next server');
  await transaction({ kind: 'system', cause: 'delivery' }, (client) =>
    client.query({
      name: 'outbox-hand-back',
      text: `UPDATE outbox_mails SET state = 'queued', attempts = attempts - 1 WHERE id = $1 AND state = 'sending' AND attempts = $2`,
      values: [id, attempts],
    }),
  );
}

/** Claims a mail for sending; undefined if there is nothing to send now. */
function claim(id: string): Promise<DueMail | undefined> {
  return transaction({ kind: 'system', cause: 'delivery' }, async (client) => {
    const [claimed] = await rows<DueMail>(client, {
      name: 'outbox-claim',
      text: `UPDATE outbox_mails SET state = 'sending', attempts = attempts + 1, last_attempt_at = now()
        WHERE id = $1 AND state IN ('queued', 'sending') AND (send_at IS NULL OR send_at <= now()) AND (topic IS NULL OR NOT EXISTS (
          SELECT 1 FROM outbox_mails older WHERE older.identity_id = outbox_mails.identity_id AND older.topic = outbox_mails.topic
            AND older.state IN ('queued', 'sending') AND older.id < outbox_mails.id AND older.recipients && outbox_mails.recipients
        ))
        RETURNING id, identity_id, kind, message_id, message_id_header, subject, mail, attempts, coalesce(send_at, created_at) AS date, topic,
          mailbox_id,
          expires_at <= now() AS "isExpired",
          ARRAY(
            SELECT recipient FROM unnest(recipients) WITH ORDINALITY AS given(recipient, position)
            WHERE recipient <> ALL (delivered) AND NOT refusals ? recipient ORDER BY position
          ) AS pending`,
      values: [id],
    });
    if (!claimed) await leaveWaiting(client, id);
    return claimed;
  });
}

/** Seconds after which a mail that waits for an older one looks for it again: that one may have been withdrawn. */
const topicPause = 60;

/** Leaves the job of a mail whose time has not come, or that waits for an older one of its topic. */
async function leaveWaiting(client: pg.PoolClient, id: string): Promise<void> {
  const [waiting] = await rows<MailToSend & { sendAt: Date | null }>(client, {
    name: 'outbox-waiting',
    text: `SELECT id, identity_id AS "identityId", kind, ${mailHasFiles} AS "hasFiles", mailbox_id AS "mailboxId", CASE WHEN send_at > now() THEN send_at END AS "sendAt"
      FROM outbox_mails WHERE id = $1 AND state IN ('queued', 'sending')`,
    values: [id],
  });
  if (!waiting) return;
  const { sendAt } = waiting;
  // The older one may have been settled since the look, which has scheduled this one at once.
  const next = sendAt ? { at: sendAt } : { inSeconds: topicPause };
  await scheduleMails(client, [{ ...waiting, time: { ...next, orSooner: true } }]);
}

/** The server that takes a mail. @throws SendFailure */
async function targetOf({ identity_id, mailbox_id }: DueMail, signal: AbortSignal): Promise<SmtpTarget> {
  if (identity_id !== null && mailbox_id !== null) return mailboxTarget(identity_id, mailbox_id, signal);
  const { SMTP_URL } = env();
  // Its job waits for a process that has it.
  if (SMTP_URL === undefined) throw new SendInterrupted(false);
  return operatorTarget(SMTP_URL);
}

/** In milliseconds: how long the server of a mailbox may take. Honest ones may take ten minutes to confirm an email. Changed by tests only. */
export const mailboxPatience = { send: 20 * 60_000 };

async function transmit(due: DueMail, signal?: AbortSignal): Promise<SendResult | SendFailure | SendInterrupted> {
  const { bcc: _, attachments: files, ...content } = due.mail;
  const { message_id_header: messageId, subject, pending, date } = due;
  // All recipients are settled; only the result is missing.
  if (pending.length === 0) return { response: '', rejected: [] };
  // It was taken over again and again, so its result can't be recorded, or the server ends each time.
  if (due.attempts > maximumAttempts) return new SendFailure('The results of all attempts were lost.', true);
  if (due.isExpired) return new SendFailure('Expired before it could be sent.', true);
  const attachments: OutboundFile[] = [];
  const stop = signal ?? new AbortController().signal;
  // A server that its owner has chosen may answer bit by bit, and would keep the place of another business.
  const late = due.mailbox_id === null ? null : AbortSignal.timeout(mailboxPatience.send);
  const either = late ? AbortSignal.any([stop, late]) : stop;
  try {
    for (const file of files ?? []) attachments.push(await openFile(file));
    const mail = { ...content, messageId, recipients: pending, subject, date, attachments };
    return await sendOverSmtp(await targetOf(due, either), mail, either);
  } catch (error) {
    if (error instanceof SendInterrupted && late?.aborted && !stop.aborted) {
      return new SendFailure('The mail server takes too long.', false);
    }
    // It may have been accepted, so it counts as an attempt.
    if (error instanceof SendInterrupted && error.mayBeAccepted) {
      return new SendFailure('This server was stopped before the mail server had answered.', false);
    }
    if (error instanceof SendFailure || error instanceof SendInterrupted) return error;
    // What is stored of the mailbox could not be read.
    if (toAppError(error).code === 'unavailable') return new SendFailure('The database can’t be reached at the moment.', false);
    log().error({ err: error, mailId: due.id }, 'mail could not be made');
    return new SendFailure('The email could not be created.', true);
  } finally {
    for (const { content: stream } of attachments) stream.destroy();
  }
}

/** Opens an attachment. @throws SendFailure if it can't be read */
async function openFile({ filename, contentType, sha256, contentId }: MailFile): Promise<OutboundFile> {
  const stored = await openStored(sha256).catch((error: unknown) => {
    throw toAppError(error).code === 'unavailable'
      ? new SendFailure('The attachments can’t be read at the moment.', false)
      : error;
  });
  if (!stored) throw new SendFailure(`The attachment ${filename} is no longer stored.`, true);
  return { filename, contentType, contentId, content: stored.stream };
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

const mailToSend = ({ id, identity_id: identityId, kind, mail, mailbox_id: mailboxId }: DueMail): MailToSend => ({
  ...{ id, identityId, kind, mailboxId },
  hasFiles: mail.attachments !== undefined,
});

const recordingPause = 500;

/** An accepted mail must not be sent again, so an outage of the database is waited out, until this process stops. */
async function retryWhileUnavailable(work: () => Promise<void>, signal?: AbortSignal): Promise<void> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (signal?.aborted || toAppError(error).code !== 'unavailable') throw error;
      logFailure(error, {}, 'the result of sending a mail could not be recorded yet');
      await new Promise((resolve) => setTimeout(resolve, recordingPause));
    }
  }
}

/**
 * Merges the result into the stored state; a bounce that has arrived by now is kept. A mail is sent when all recipients
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
          draft = CASE WHEN $6::float8 IS NOT NULL THEN draft END,
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
    if (changed.state === 'queued') await scheduleMails(client, [{ ...mailToSend(due), time: { at: changed.due_at } }]);
    else if (due.topic !== null) await scheduleTopic(client, due);
    if (changed.state !== 'queued' && due.identity_id !== null && due.message_id !== null) {
      await onSettled(client, due.identity_id, due.message_id, changed.state, changed.now);
    }
  });
}

/** How many emails of a topic are scheduled at once; the others look again by themselves. */
const topicSize = 500;

/** Schedules the mails that waited for a settled mail of the same topic. */
async function scheduleTopic(client: pg.PoolClient, { identity_id, topic, id }: DueMail): Promise<void> {
  const waiting = await rows<MailToSend>(client, {
    name: 'outbox-topic',
    text: `SELECT id, identity_id AS "identityId", kind, ${mailHasFiles} AS "hasFiles", mailbox_id AS "mailboxId" FROM outbox_mails
      WHERE identity_id = $1 AND topic = $2 AND id > $3 AND state = 'queued' AND due_at <= now()
      ORDER BY id LIMIT ${topicSize}`,
    values: [identity_id, topic, id],
  });
  await scheduleMails(client, waiting);
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

/** Send mail. Without SMTP_URL, the jobs of mail that no mailbox sends wait. */
export function sendingJobs(onSettled: OnSettled): JobHandler[] {
  const send = ({ payload, signal }: Job<{ id: string }>) => sendMail(payload.id, onSettled, signal);
  return [sendMailJob.handledBy(send, { isPossible: canSendMail }), sendMailboxMailJob.handledBy(send)];
}
