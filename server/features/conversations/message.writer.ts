import type pg from 'pg';
import { v7 } from 'uuid';
import type { ListUnsubscribe } from '@/server/platform/mail/list-unsubscribe';
import type { MailAddress, ParsedAttachment } from '@/server/platform/mail/parsed-mail';
import type { ConversationStatus } from './conversation.schema';
import type { MessageRecord } from './message.schema';
import { searchTerms } from './message-search';

/** A message to store; `MessageStatus` follows from the direction. */
export interface NewMessage {
  identityId: string;
  conversationId: string;
  direction: 'inbound' | 'outbound';
  from: MailAddress;
  to: MailAddress[];
  cc: MailAddress[];
  bcc: MailAddress[];
  replyTo: MailAddress[];
  subject: string;
  text: string;
  html: string | null;
  preview: string;
  messageIdHeader: string;
  inReplyTo: string | null;
  references: string[];
  threadKeys: string[];
  agentId: string | null;
  /** The member who sends it. */
  sentBy: MessageRecord['sentBy'];
  isAutoReply: boolean;
  /** Of a received message of a list. */
  unsubscribe?: ListUnsubscribe | null;
  isRead: boolean;
  /** When an outgoing one is sent, if that is later. */
  sendAt: Date | null;
  sentAt: Date | null;
  /** When it was received or written. */
  at: Date;
  attachments: (ParsedAttachment & Partial<AttachmentSource>)[];
}

/** Where an attachment of an outgoing message comes from. */
export interface AttachmentSource {
  id: string;
  /** True for an uploaded file, which becomes the attachment; others are copied. */
  isUpload: boolean;
}

/** What a conversation that begins with a message has besides. */
export interface Beginning {
  status: ConversationStatus;
  /** The address of ours that it came in at, or goes out from. */
  originAddress: string;
  counterpart: MailAddress;
  /** When its message was received, if that is to be answered. */
  waitingSince: Date | null;
  isSpam?: boolean;
}

/** Writes the conversation that begins with this message. */
export async function insertConversation(client: pg.PoolClient, message: NewMessage, beginning: Beginning): Promise<void> {
  const { status, originAddress, counterpart, waitingSince, isSpam = false } = beginning;
  await client.query({
    name: 'conversation-insert',
    text: `INSERT INTO conversations (id, identity_id, subject, preview, status, last_message_at, message_count, origin_address,
        counterpart_email, counterpart_name, created_at, updated_at, is_read, waiting_since, is_spam)
      VALUES ($1, $2, $3, $4, $5, $6, 1, $7, $8, $9, $6, $6, $10, $11, $12)`,
    values: [
      message.conversationId,
      message.identityId,
      message.subject,
      message.preview,
      status,
      message.at,
      originAddress,
      counterpart.email,
      counterpart.displayName,
      message.isRead,
      waitingSince,
      isSpam,
    ],
  });
}

/** Writes a message with its attachments' rows. @returns its id */
export async function insertMessage(client: pg.PoolClient, message: NewMessage): Promise<string> {
  const id = v7();
  const isInbound = message.direction === 'inbound';
  await client.query({
    name: 'message-insert',
    text: `WITH message AS (INSERT INTO messages (id, identity_id, conversation_id, direction, status, from_email, from_name, "to", cc, bcc, reply_to,
        subject, text, html, preview, message_id_header, in_reply_to, "references", thread_keys, agent_id, is_read, is_auto_reply,
        attachment_count, sent_at, received_at, created_at, sent_by, unsubscribe)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25, $26, $27, $28))
      INSERT INTO message_search (identity_id, message_id, conversation_id, terms)
        VALUES ($2, $1, $3, $29::tsvector)`,
    values: [
      id,
      message.identityId,
      message.conversationId,
      message.direction,
      isInbound ? 'received' : 'queued',
      message.from.email,
      message.from.displayName,
      JSON.stringify(message.to),
      JSON.stringify(message.cc),
      JSON.stringify(message.bcc),
      JSON.stringify(message.replyTo),
      message.subject,
      message.text,
      message.html,
      message.preview,
      message.messageIdHeader,
      message.inReplyTo,
      message.references,
      message.threadKeys,
      message.agentId,
      message.isRead,
      message.isAutoReply,
      message.attachments.length,
      message.sentAt,
      isInbound ? message.at : null,
      message.at,
      message.sentBy?.userId ?? null,
      message.unsubscribe ? JSON.stringify(message.unsubscribe) : null,
      searchTerms(message.identityId, message),
    ],
  });
  if (message.attachments.length > 0) await writeAttachments(client, message.identityId, id, message.attachments);
  return id;
}

/** The message as the list of messages answers it. */
export function newMessageRecord(id: string, message: NewMessage): MessageRecord {
  const isInbound = message.direction === 'inbound';
  return {
    id,
    conversationId: message.conversationId,
    identityId: message.identityId,
    direction: message.direction,
    channel: 'email',
    status: isInbound ? 'received' : 'queued',
    from: message.from,
    to: message.to,
    cc: message.cc,
    bcc: message.bcc,
    subject: message.subject,
    text: message.text,
    html: message.html,
    preview: message.preview,
    messageIdHeader: message.messageIdHeader,
    inReplyTo: message.inReplyTo,
    references: message.references,
    agentId: message.agentId,
    sentBy: message.sentBy,
    isRead: message.isRead,
    isAutoReply: message.isAutoReply,
    unsubscribe: message.unsubscribe ? { ...message.unsubscribe, unsubscribedAt: null } : null,
    attachmentCount: message.attachments.length,
    attachments: [],
    removedAttachments: [],
    sendAt: message.sendAt?.toISOString() ?? null,
    sentAt: message.sentAt?.toISOString() ?? null,
    receivedAt: isInbound ? message.at.toISOString() : null,
    createdAt: message.at.toISOString(),
  };
}

async function writeAttachments(
  client: pg.PoolClient,
  identityId: string,
  messageId: string,
  attachments: NewMessage['attachments'],
): Promise<void> {
  const placed = attachments.map((attachment, index) => ({ ...attachment, position: index + 1 }));
  const uploads = placed.filter(({ isUpload }) => isUpload);
  const others = placed.filter(({ isUpload }) => !isUpload);
  if (uploads.length > 0) {
    await client.query({
      name: 'attachments-take',
      text: `UPDATE attachments a SET message_id = $2, position = given.position, content_id = given.content_id, is_inline = given.is_inline
        FROM unnest($3::uuid[], $4::int[], $5::text[], $6::bool[]) AS given(id, position, content_id, is_inline)
        WHERE a.identity_id = $1 AND a.id = given.id`,
      values: [
        identityId,
        messageId,
        uploads.map(({ id }) => id),
        uploads.map(({ position }) => position),
        uploads.map(({ contentId }) => contentId),
        uploads.map(({ isInline }) => isInline),
      ],
    });
  }
  const column = <T>(of: (attachment: (typeof placed)[number]) => T) => others.map(of);
  if (others.length === 0) return;
  await client.query({
    name: 'attachments-insert',
    text: `INSERT INTO attachments (id, identity_id, message_id, position, filename, content_type, size, content_id, is_inline, sha256)
      SELECT id, $1, $2, position, filename, content_type, size, content_id, is_inline, sha256
      FROM unnest($3::uuid[], $4::int[], $5::text[], $6::text[], $7::int[], $8::text[], $9::bool[], $10::text[])
        AS given(id, position, filename, content_type, size, content_id, is_inline, sha256)`,
    values: [
      identityId,
      messageId,
      column(() => v7()),
      column(({ position }) => position),
      column(({ filename }) => filename),
      column(({ contentType }) => contentType),
      column(({ size }) => size),
      column(({ contentId }) => contentId),
      column(({ isInline }) => isInline),
      column(({ sha256 }) => sha256),
    ],
  });
}

const roles = ['from', 'to', 'cc', 'bcc'] as const;

type Role = (typeof roles)[number];

/** The parts of a message that determine its participants. */
type Addressed = Pick<NewMessage, 'identityId' | 'conversationId' | 'from' | 'to' | 'cc' | 'bcc'>;

/** The participants of this message, each address once, with the strongest of its roles. */
function participantsOf(message: Addressed): { email: string; role: Role; displayName: string | null }[] {
  const lists: Record<Role, MailAddress[]> = { from: [message.from], to: message.to, cc: message.cc, bcc: message.bcc };
  const byEmail = new Map<string, { email: string; role: Role; displayName: string | null }>();
  for (const role of roles) {
    for (const { email, displayName } of lists[role]) {
      const key = email.toLowerCase();
      if (key !== '' && !byEmail.has(key)) byEmail.set(key, { email: key, role, displayName });
    }
  }
  // A fixed order, so that two transactions over the same rows never deadlock.
  return [...byEmail.values()].sort((a, b) => (a.email < b.email ? -1 : 1));
}

/** Adds the participants of a message to the conversation; known names are kept. */
export async function insertParticipants(client: pg.PoolClient, message: Addressed): Promise<void> {
  const participants = participantsOf(message);
  if (participants.length === 0) return;
  await client.query({
    name: 'participants-insert',
    text: `INSERT INTO conversation_participants AS known (conversation_id, identity_id, email, role, display_name)
      SELECT $1, $2, email, role::participant_role, display_name FROM unnest($3::text[], $4::text[], $5::text[])
        AS given(email, role, display_name)
      ON CONFLICT (identity_id, conversation_id, email) DO UPDATE
      SET role = least(known.role, excluded.role), display_name = coalesce(known.display_name, excluded.display_name)`,
    values: [
      message.conversationId,
      message.identityId,
      participants.map(({ email }) => email),
      participants.map(({ role }) => role),
      participants.map(({ displayName }) => displayName),
    ],
  });
}

/** Assigns agents to a conversation, in addition to those it has. @returns how many are new to it */
export async function assignAgents(
  client: pg.PoolClient,
  identityId: string,
  conversationId: string,
  agentIds: readonly string[],
): Promise<number> {
  if (agentIds.length === 0) return 0;
  const { rowCount } = await client.query({
    name: 'conversation-agents-insert',
    text: `INSERT INTO conversation_agents (conversation_id, agent_id, identity_id)
      SELECT $1, agent, $2 FROM unnest($3::uuid[]) AS agent ORDER BY agent ON CONFLICT DO NOTHING`,
    values: [conversationId, identityId, agentIds],
  });
  return rowCount ?? 0;
}
