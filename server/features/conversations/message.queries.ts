import { outboxMails } from '@/server/features/outbox/outbox.sql';
import { users } from '@/server/platform/auth/accounts.sql';
import type { Found } from '@/server/platform/db/filtered-list';
import { type Queryable, rows } from '@/server/platform/db/sql';
import { env } from '@/server/platform/env';
import type { ListPosition } from '@/server/platform/list-cursor';
import type { ListUnsubscribe } from '@/server/platform/mail/list-unsubscribe';
import type { AttachmentRecord, ListMessagesInput, MessageRecord } from './message.schema';

export type MessageRow = Omit<MessageRecord, 'from' | 'channel' | 'attachments' | 'unsubscribe'> & {
  fromEmail: string;
  fromName: string | null;
  unsubscribe: ListUnsubscribe | null;
  unsubscribedAt: string | null;
};

/** Only messages that a member sent cost a look at their account. */
export const sentBy = `CASE WHEN m.sent_by IS NOT NULL THEN json_build_object('userId', m.sent_by, 'name', (
    SELECT nullif(btrim(u.display_name), '') FROM ${users} u WHERE u.id = m.sent_by)) END`;

/** Only messages that wait to be sent cost a look at their email. */
const sendAt = `CASE WHEN m.status = 'queued' THEN (
    SELECT o.send_at FROM ${outboxMails} o WHERE o.identity_id = m.identity_id AND o.message_id = m.id) END`;

export const messageColumns = `m.id, m.conversation_id AS "conversationId", m.identity_id AS "identityId", m.direction, m.status,
  m.from_email AS "fromEmail", m.from_name AS "fromName", m."to", m.cc, m.bcc, m.subject, m.text, m.html, m.preview,
  m.message_id_header AS "messageIdHeader", m.in_reply_to AS "inReplyTo", m."references", m.agent_id AS "agentId", ${sentBy} AS "sentBy", m.is_read AS "isRead",
  m.is_auto_reply AS "isAutoReply", m.unsubscribe, m.unsubscribed_at AS "unsubscribedAt", m.attachment_count AS "attachmentCount", m.removed_attachments AS "removedAttachments", ${sendAt} AS "sendAt", m.sent_at AS "sentAt", m.received_at AS "receivedAt",
  m.created_at AS "createdAt"`;

function unsubscribeOf({ unsubscribe, unsubscribedAt }: MessageRow): MessageRecord['unsubscribe'] {
  return unsubscribe && { method: unsubscribe.method, target: unsubscribe.target, unsubscribedAt };
}

/** Keeps the row's other columns, which the output schema drops: taking them out here with `...rest` costs more than the rest of a list. */
function toMessageRecord(row: MessageRow, channel: string, attachments: AttachmentRecord[]): MessageRecord {
  const from = { email: row.fromEmail, displayName: row.fromName };
  return { ...row, channel, from, attachments, unsubscribe: unsubscribeOf(row) };
}

/** The message as the list answers it, without other columns; the statement has no join, so its channel is that of all messages. */
export function toPlainRecord(whole: MessageRow): MessageRecord {
  const { fromEmail: email, fromName: displayName, unsubscribedAt: _, ...row } = whole;
  return { ...row, channel: 'email', from: { email, displayName }, attachments: [], unsubscribe: unsubscribeOf(whole) };
}

interface AttachmentRow extends Omit<AttachmentRecord, 'downloadUrl'> {
  messageId: string | null;
}

/** The attachments of messages of one identity, by message; in one statement. */
async function attachmentsOf(db: Queryable, identityId: string, found: MessageRow[]): Promise<Map<string, AttachmentRecord[]>> {
  const ids = found.filter((row) => row.attachmentCount > 0).map((row) => row.id);
  const byMessage = new Map<string, AttachmentRecord[]>(ids.map((id) => [id, []]));
  if (ids.length === 0) return byMessage;
  const attachments = await rows<AttachmentRow>(db, {
    name: 'message-attachments',
    text: `SELECT id, message_id AS "messageId", filename, content_type AS "contentType", size, content_id AS "contentId",
        is_inline AS "isInline", sha256 FROM attachments
      WHERE identity_id = $1 AND message_id = ANY($2) ORDER BY message_id, position`,
    values: [identityId, ids],
  });
  for (const { messageId, ...attachment } of attachments) {
    const downloadUrl = `${env().PUBLIC_URL ?? ''}/api/v1/attachments/${attachment.id}`;
    byMessage.get(messageId ?? '')?.push({ ...attachment, downloadUrl });
  }
  return byMessage;
}

/** Approximate maximum size of a page in bytes; ordinary mail never reaches it. */
const pageBytes = 8_000_000;

/** Approximate size of a message in a page. */
const messageBytes = `octet_length(text) + coalesce(octet_length(html), 0) + octet_length("to"::text) + octet_length(cc::text)
  + octet_length(bcc::text) + octet_length("references"::text) + octet_length(removed_attachments::text) + 400 * attachment_count`;

type PageInput = Pick<ListMessagesInput, 'direction' | 'order' | 'limit' | 'offset' | 'includeAttachments'> & {
  position?: ListPosition | undefined;
};

/** How many messages a conversation has, in all (as it knows) or in one direction (counted). */
function totalOf(direction: string | undefined): string {
  return direction
    ? '(SELECT count(*) FROM messages WHERE identity_id = $1 AND conversation_id = $2 AND direction = $3::message_direction)::float8'
    : 'coalesce((SELECT message_count FROM conversations WHERE identity_id = $1 AND id = $2), 0)::float8';
}

/**
 * A page of a conversation's messages by time, and their total. A page of very long messages is shorter, but never empty. The
 * total behind a position is that of the first page.
 */
export async function listMessagePage(
  db: Queryable,
  { id, identityId, channel }: { id: string; identityId: string; channel: string },
  { direction, order, limit, offset, includeAttachments, position }: PageInput,
): Promise<Found<MessageRecord>> {
  const by = order === 'desc' ? 'created_at DESC, id DESC' : 'created_at, id';
  const matching = 'identity_id = $1 AND conversation_id = $2 AND ($3::message_direction IS NULL OR direction = $3)';
  const behind = position ? ` AND (created_at, id) ${order === 'desc' ? '<' : '>'} ($6::timestamptz, $7::uuid)` : '';
  const total = position ? '$8::float8' : totalOf(direction);
  const found = await rows<MessageRow & { total: number; hasMore: boolean }>(db, {
    name: `messages-${order}${position ? '-behind' : direction ? '-counted' : ''}`,
    isoTimes: true,
    text: `WITH page AS (
        SELECT id, row_number() OVER ordered AS position,
          sum(bytes) OVER ordered AS bytes
        FROM (SELECT id, created_at, ${messageBytes} AS bytes FROM messages WHERE ${matching}${behind} ORDER BY ${by} LIMIT $4::bigint + 1 OFFSET $5) chosen
        WINDOW ordered AS (ORDER BY ${by})
      )
      SELECT ${messageColumns}, ${total} AS total, (SELECT count(*) FROM page) > page.position AS "hasMore"
      FROM page JOIN messages m ON m.identity_id = $1 AND m.id = page.id
      WHERE page.position <= $4 AND (page.position = 1 OR page.bytes <= ${pageBytes}) ORDER BY page.position`,
    values: [identityId, id, direction ?? null, limit, offset, ...(position ? [...position.after, position.matches] : [])],
  });
  const attachments = includeAttachments ? await attachmentsOf(db, identityId, found) : undefined;
  const messages = found.map((row) => toMessageRecord(row, channel, attachments?.get(row.id) ?? []));
  return {
    page: messages,
    matches: found[0]?.total ?? position?.matches ?? (await countMessages(db, identityId, id, direction)),
    hasMore: found.at(-1)?.hasMore ?? false,
  };
}

async function countMessages(
  db: Queryable,
  identityId: string,
  conversationId: string,
  direction: string | undefined,
): Promise<number> {
  const [row] = await rows<{ total: number }>(db, {
    name: `messages-count${direction ? '-of-direction' : ''}`,
    text: `SELECT ${totalOf(direction)} AS total`,
    values: [identityId, conversationId, ...(direction ? [direction] : [])],
  });
  return row?.total ?? 0;
}

/** One message with its attachments; undefined for an unknown or foreign id. */
export async function findMessage(db: Queryable, identityId: string, id: string): Promise<MessageRecord | undefined> {
  const found = await rows<MessageRow & { channel: string }>(db, {
    name: 'message-get',
    isoTimes: true,
    text: `SELECT ${messageColumns}, c.channel FROM messages m JOIN conversations c ON c.identity_id = m.identity_id AND c.id = m.conversation_id
      WHERE m.identity_id = $1 AND m.id = $2`,
    values: [identityId, id],
  });
  const [row] = found;
  if (!row) return undefined;
  return toMessageRecord(row, row.channel, (await attachmentsOf(db, identityId, found)).get(row.id) ?? []);
}
