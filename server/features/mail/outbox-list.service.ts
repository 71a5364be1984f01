import { messages } from '@/server/features/conversations/conversation.sql';
import type { IdentityActor } from '@/server/platform/actor';
import { beyondNewest, pageOf } from '@/server/platform/db/newest-first';
import { pool } from '@/server/platform/db/pool';
import { rows } from '@/server/platform/db/sql';
import { transaction } from '@/server/platform/db/transaction';
import { AppError, notFound } from '@/server/platform/errors';
import { canSendMail } from '@/server/platform/mail/smtp-transport';
import { recordDelivery } from '../conversations/delivery.service';
import { sendingMailbox } from '../mailboxes/mailbox.sql';
import type { OutboxStateName, OutgoingMail } from '../outbox/outbox.schema';
import { countOutbox, mailHasContent, mailHasFiles, problemsOf, scheduleMails } from '../outbox/outbox.service';
import { countMails, uncountMail } from '../usage/quota.service';
import type { ListOutboxInput, OutboxList, OutboxMailRecord } from './mail.schema';

const outboxPageSize = 50;

export interface OutboxRow extends Omit<OutboxMailRecord, 'from' | 'canSend'> {
  /** By whose server it is sent; null for SMTP_URL. */
  mailboxId: string | null;
  mail: OutgoingMail;
  refusals: Record<string, string>;
}

/** The columns of an `OutboxRow`, of `outboxAndMessages`. */
export const outboxColumns = `o.id, o.kind, o.state, o.subject, o.mail, o.recipients, o.attempts + o.earlier_attempts AS attempts,
  CASE WHEN o.state = 'queued' THEN o.due_at END AS "dueAt", o.error, o.refusals, m.conversation_id AS "conversationId",
  o.message_id AS "messageId", o.mailbox_id AS "mailboxId",
  o.created_at AS "createdAt", o.last_attempt_at AS "lastAttemptAt", o.sent_at AS "sentAt"`;

/** The outbox as `o`, left-joined with messages of conversations as `m`. */
export const outboxAndMessages = `outbox_mails o LEFT JOIN ${messages} m ON m.identity_id = o.identity_id AND m.id = o.message_id`;

export function outboxRecord({ mail, refusals, error, mailboxId, ...record }: OutboxRow): OutboxMailRecord {
  const canSend = mailboxId !== null || canSendMail();
  return { ...record, from: mail.from, error: problemsOf({ refusals, error }), canSend };
}

/** The outbox, newest first, paged. */
export async function listOutbox(actor: IdentityActor, { state, conversationId, before }: ListOutboxInput): Promise<OutboxList> {
  const found = await rows<OutboxRow>(pool(), {
    isoTimes: true,
    text: `SELECT ${outboxColumns} FROM ${outboxAndMessages}
      WHERE o.identity_id = $1 AND o.id < $2 ${state ? 'AND o.state = $4::outbox_state' : ''}
        ${conversationId ? `AND m.conversation_id = $${state ? 5 : 4}` : ''} ORDER BY o.id DESC LIMIT $3`,
    values: [
      actor.identityId,
      before ?? beyondNewest,
      outboxPageSize + 1,
      ...(state ? [state] : []),
      ...(conversationId ? [conversationId] : []),
    ],
  });
  const { page, next } = pageOf(found, outboxPageSize);
  return {
    emails: page.map(outboxRecord),
    next,
    counts: await countOutbox(actor.identityId),
  };
}

/**
 * Sends a failed or queued mail again immediately, with the same Message-ID, with the full number of attempts, and only to
 * recipients who have not got it. One that is scheduled is sent now.
 *
 * @throws AppError not_found; conflict if it is being sent or was sent, or if its content was removed for its age; quota_exceeded, because it counts as mail of today
 */
export async function resendMail(actor: IdentityActor, id: string): Promise<void> {
  await transaction(actor, async (client) => {
    const [mail] = await rows<{
      kind: string;
      state: OutboxStateName;
      message_id: string | null;
      hasContent: boolean;
      hasFiles: boolean;
      lacking: number;
      recipients: number;
      /** When it would be sent, if that is later. */
      sendAt: Date | null;
    }>(client, {
      name: 'outbox-lock',
      text: `SELECT kind, state, message_id, ${mailHasContent} AS "hasContent", ${mailHasFiles} AS "hasFiles", cardinality(ARRAY(
          SELECT unnest(recipients) EXCEPT (SELECT unnest(delivered) EXCEPT SELECT jsonb_object_keys(refusals))
        )) AS lacking, cardinality(recipients) AS recipients, CASE WHEN send_at > now() THEN send_at END AS "sendAt" FROM outbox_mails WHERE identity_id = $1 AND id = $2 FOR UPDATE`,
      values: [actor.identityId, id],
    });
    if (!mail) throw notFound();
    if (mail.state === 'sending') throw new AppError('conflict', 'This email is being sent right now.');
    if (mail.state === 'sent') throw new AppError('conflict', 'This email was already sent.');
    if (!mail.hasContent) throw new AppError('conflict', 'This email is too old to be sent again. Write a new one.');
    const [resent] = await rows<{ mailboxId: string | null }>(client, {
      name: 'outbox-resend',
      text: `UPDATE outbox_mails SET state = 'queued', earlier_attempts = earlier_attempts + attempts, attempts = 0, due_at = now(), error = NULL, refusals = '{}',
          send_at = CASE WHEN send_at > now() THEN now() ELSE send_at END, cancel_if_reply = false,
          delivered = ARRAY(SELECT unnest(delivered) EXCEPT SELECT jsonb_object_keys(refusals)),
          mailbox_id = coalesce(${sendingMailbox('identity_id', `mail -> 'from' ->> 'email'`)}, mailbox_id)
        WHERE identity_id = $1 AND id = $2 RETURNING mailbox_id AS "mailboxId"`,
      values: [actor.identityId, id],
    });
    if (mail.message_id !== null) await recordDelivery(client, actor.identityId, mail.message_id, 'queued', new Date(), actor);
    await scheduleMails(client, [
      { id, identityId: actor.identityId, kind: mail.kind, hasFiles: mail.hasFiles, mailboxId: resent?.mailboxId ?? null },
    ]);
    if (mail.sendAt) await uncountMail(client, actor.identityId, mail.recipients, mail.sendAt);
    await countMails(client, actor.identityId, 1, mail.lacking);
  });
}
