import { type Queryable, rows } from '@/server/platform/db/sql';
import { env } from '@/server/platform/env';
import type { AttachmentRecord, ListMessagesInput, MailAddressRecord, MessageRecord } from './message.schema';

interface MessageRow {
  id: string;
  conversation_id: string;
  identity_id: string;
  direction: MessageRecord['direction'];
  status: MessageRecord['status'];
  from_email: string;
  from_name: string | null;
  to: MailAddressRecord[];
  cc: MailAddressRecord[];
  bcc: MailAddressRecord[];
  subject: string;
  text: string;
  html: string | null;
  preview: string;
  message_id_header: string;
  in_reply_to: string | null;
  references: string[];
  agent_id: string | null;
  is_read: boolean;
  is_auto_reply: boolean;
  attachment_count: number;
  /** ISO 8601: see Statement.isoTimes. */
  sent_at: string | null;
  received_at: string | null;
  created_at: string;
}

const messageColumns = `m.id, m.conversation_id, m.identity_id, m.direction, m.status, m.from_email, m.from_name, m."to", m.cc, m.bcc,
  m.subject, m.text, m.html, m.preview, m.message_id_header, m.in_reply_to, m."references", m.agent_id, m.is_read, m.is_auto_reply,
  m.attachment_count, m.sent_at, m.received_at, m.created_at`;

function toMessageRecord(row: MessageRow, channel: string, attachments: AttachmentRecord[]): MessageRecord {
  return {
    id: row.id,
    conversationId: row.conversation_id,
    identityId: row.identity_id,
    direction: row.direction,
    channel,
    status: row.status,
    from: { email: row.from_email, displayName: row.from_name },
    to: row.to,
    cc: row.cc,
    bcc: row.bcc,
    subject: row.subject,
    text: row.text,
    html: row.html,
    preview: row.preview,
    messageIdHeader: row.message_id_header,
    inReplyTo: row.in_reply_to,
    references: row.references,
    agentId: row.agent_id,
    isRead: row.is_read,
    isAutoReply: row.is_auto_reply,
    attachmentCount: row.attachment_count,
    attachments,
    sentAt: row.sent_at,
    receivedAt: row.received_at,
    createdAt: row.created_at,
  };
}

interface AttachmentRow {
  id: string;
  message_id: string;
  filename: string;
  content_type: string;
  size: number;
  content_id: string | null;
  is_inline: boolean;
  sha256: string;
}

function toAttachmentRecord(row: AttachmentRow): AttachmentRecord {
  return {
    id: row.id,
    filename: row.filename,
    contentType: row.content_type,
    size: row.size,
    contentId: row.content_id,
    isInline: row.is_inline,
    sha256: row.sha256,
    downloadUrl: `${env().PUBLIC_URL ?? ''}/api/v1/attachments/${row.id}`,
  };
}

/** The attachments of messages of one identity, by message; in one statement. */
async function attachmentsOf(db: Queryable, identityId: string, found: MessageRow[]): Promise<Map<string, AttachmentRecord[]>> {
  const ids = found.filter((row) => row.attachment_count > 0).map((row) => row.id);
  const byMessage = new Map<string, AttachmentRecord[]>(ids.map((id) => [id, []]));
  if (ids.length === 0) return byMessage;
  const attachments = await rows<AttachmentRow>(db, {
    name: 'message-attachments',
    text: `SELECT id, message_id, filename, content_type, size, content_id, is_inline, sha256 FROM attachments
      WHERE identity_id = $1 AND message_id = ANY($2) ORDER BY message_id, position`,
    values: [identityId, ids],
  });
  for (const row of attachments) byMessage.get(row.message_id)?.push(toAttachmentRecord(row));
  return byMessage;
}

/** Approximate maximum size of a page in bytes; ordinary mail never reaches it. */
const pageBytes = 8_000_000;

/** Approximate size of a message in a page. */
const messageBytes = `octet_length(text) + coalesce(octet_length(html), 0) + octet_length("to"::text) + octet_length(cc::text)
  + octet_length(bcc::text) + octet_length("references"::text) + 400 * attachment_count`;

type PageInput = Pick<ListMessagesInput, 'direction' | 'order' | 'limit' | 'offset' | 'includeAttachments'>;

/** A page of a conversation's messages by time, and their total. A page of very long messages is shorter, but never empty. */
export async function listMessagePage(
  db: Queryable,
  conversation: { id: string; identity_id: string; channel: string },
  { direction, order, limit, offset, includeAttachments }: PageInput,
): Promise<{ messages: MessageRecord[]; total: number }> {
  const { id, identity_id: identityId, channel } = conversation;
  const by = order === 'desc' ? 'created_at DESC, id DESC' : 'created_at, id';
  const matching = 'identity_id = $1 AND conversation_id = $2 AND ($3::message_direction IS NULL OR direction = $3)';
  const found = await rows<MessageRow & { total: number }>(db, {
    name: `messages-${order}`,
    isoTimes: true,
    text: `WITH page AS (
        SELECT id, row_number() OVER ordered AS position,
          sum(bytes) OVER ordered AS bytes
        FROM (SELECT id, created_at, ${messageBytes} AS bytes FROM messages WHERE ${matching} ORDER BY ${by} LIMIT $4 OFFSET $5) chosen
        WINDOW ordered AS (ORDER BY ${by})
      )
      SELECT ${messageColumns}, (SELECT count(*)::float8 FROM messages WHERE ${matching}) AS total
      FROM page JOIN messages m ON m.id = page.id
      WHERE page.position = 1 OR page.bytes <= ${pageBytes} ORDER BY page.position`,
    values: [identityId, id, direction ?? null, limit, offset],
  });
  const attachments = includeAttachments ? await attachmentsOf(db, identityId, found) : undefined;
  const messages = found.map((row) => toMessageRecord(row, channel, attachments?.get(row.id) ?? []));
  return { messages, total: found[0]?.total ?? (await countMessages(db, identityId, id, direction)) };
}

async function countMessages(
  db: Queryable,
  identityId: string,
  conversationId: string,
  direction: string | undefined,
): Promise<number> {
  const [row] = await rows<{ total: number }>(db, {
    name: 'messages-count',
    text: `SELECT count(*)::float8 AS total FROM messages
      WHERE identity_id = $1 AND conversation_id = $2 AND ($3::message_direction IS NULL OR direction = $3)`,
    values: [identityId, conversationId, direction ?? null],
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
