import type { IdentityActor } from '@/server/platform/actor';
import { pool } from '@/server/platform/db/pool';
import { rows } from '@/server/platform/db/sql';
import { notFound } from '@/server/platform/errors';
import { isHeavyHtml, mailPage } from '@/server/platform/html/html-view';
import { renderPool } from '@/server/platform/rendering/render-pool';
import { calendarEvents } from '../calendar/calendar.sql';
import { withoutRsvpLinks } from '../calendar/signed-link.service';
import type { DeliveryLogEntry } from '../outbox/outbox.schema';
import type { OutboxMailDetail } from './mail.schema';
import { type OutboxRow, outboxAndMessages, outboxColumns, outboxRecord } from './outbox-list.service';

type Delivery = OutboxMailDetail['deliveries'][number];

interface DetailRow extends OutboxRow {
  delivered: string[];
  log: DeliveryLogEntry[];
  eventId: string | null;
  /** The text of the message it carries, which outlives the email's content. */
  messageText: string | null;
  messageHasHtml: boolean;
}

/** The status for one recipient. If sending has failed, no recipient is pending: there are no further attempts. */
function deliveryOf({ state, delivered, refusals }: DetailRow, email: string): Pick<Delivery, 'status' | 'error'> {
  const error = refusals[email] ?? null;
  if (error !== null) return { status: 'failed', error };
  if (state === 'sent' || delivered.includes(email)) return { status: 'sent', error };
  return { status: state === 'failed' ? 'failed' : 'pending', error };
}

/**
 * One email of the outbox with its content, recipients and attempts.
 *
 * @throws AppError not_found for an unknown or foreign id, and for mail to account holders
 */
export async function getOutboxMail({ identityId }: IdentityActor, id: string): Promise<OutboxMailDetail> {
  const [row] = await rows<DetailRow>(pool(), {
    name: 'outbox-get',
    isoTimes: true,
    text: `SELECT ${outboxColumns}, o.delivered, o.delivery_log AS log, m.text AS "messageText",
        m.html IS NOT NULL AS "messageHasHtml", e.id AS "eventId"
      FROM ${outboxAndMessages}
      LEFT JOIN ${calendarEvents} e ON e.identity_id = o.identity_id
        AND e.id = CASE WHEN o.topic LIKE 'event:%' THEN substr(o.topic, 7)::uuid END
      WHERE o.identity_id = $1 AND o.id = $2`,
    values: [identityId, id],
  });
  if (!row) throw notFound();
  const { delivered: _, log, eventId, messageText, messageHasHtml, ...rest } = row;
  const { replyTo = null, to, cc, bcc, text, html, calendar } = row.mail;
  return {
    ...outboxRecord(rest),
    ...{ identityId, replyTo, to, cc, bcc, eventId },
    deliveries: row.recipients.map((email) => ({ email, ...deliveryOf(row, email) })),
    log: log.toReversed().map((entry) => ({ ...entry, at: new Date(entry.at).toISOString() })),
    text: messageText ?? (text || html ? withoutRsvpLinks(text) : null),
    hasHtml: messageHasHtml || (row.messageId === null && html !== ''),
    calendarMethod: calendar?.method ?? null,
  };
}

/**
 * The HTML of an email that carries no message of a conversation, as a page for a frame without scripts, without links that only a
 * guest may have. The HTML of messages is `messagePage`.
 *
 * @throws AppError not_found for an unknown or foreign id, and for an email without such HTML
 * @throws QueueFull if it has to be rendered in a thread and none was free in time
 */
export async function outboxMailPage({ identityId }: IdentityActor, id: string): Promise<string> {
  const [mail] = await rows<{ html: string }>(pool(), {
    name: 'outbox-html',
    text: `SELECT mail ->> 'html' AS html FROM outbox_mails
      WHERE identity_id = $1 AND id = $2 AND message_id IS NULL AND mail ->> 'html' <> ''`,
    values: [identityId, id],
  });
  if (!mail) throw notFound();
  const html = withoutRsvpLinks(mail.html);
  if (!isHeavyHtml(html)) return mailPage({ html, remoteImages: true, imageUrlOf: () => null }).page;
  return (await renderPool().mailPage({ html, remoteImages: true, imageUrls: new Map() }, { owner: identityId })).page;
}
