import type pg from 'pg';
import { v7 } from 'uuid';
import { rows } from '@/server/platform/db/sql';
import { ConcurrentChange } from '@/server/platform/db/transaction';
import { log } from '@/server/platform/log';
import { previewOf } from '@/server/platform/mail/mail-text';
import type { MailAddress, ParsedMail } from '@/server/platform/mail/parsed-mail';
import { ensureContact } from '../customers/contact.service';
import type { OwnAddresses } from '../own-addresses/own-address.service';
import { isBlockedSender } from './blocked-sender.service';
import { cancelForReply } from './cancel.service';
import type { ConversationChanges } from './conversation-changes.service';
import { mergeConversations } from './merge';
import {
  assignAgents,
  insertConversation,
  insertMessage,
  insertParticipants,
  type NewMessage,
  newMessageRecord,
} from './message.writer';
import { requestRendering } from './message-page.service';
import { type FoundConversation, survivorOf, threadLocks } from './threading';
import { isOpen } from './waiting';

/** A message received by one identity. */
export interface InboundMail {
  identityId: string;
  own: OwnAddresses;
  mail: ParsedMail;
  isAutoReply: boolean;
  /** The recipient address of this identity; the first of several. */
  originAddress: string;
  /** All recipient addresses of this identity in its envelope. */
  recipients: string[];
  /** Agents it was addressed to. */
  agentIds: string[];
  /** Defaults to now. */
  receivedAt: Date | undefined;
  /** It was read, and dealt with, before it came here. */
  isSettled: boolean;
}

/** A message being stored: its time is set once the thread is locked. */
interface ThreadedMail extends InboundMail {
  receivedAt: Date;
  isBlocked: boolean;
}

export interface StoredMail {
  conversationId: string;
  messageId: string;
  /** False if this identity already has the message. */
  isNew: boolean;
}

/**
 * Stores a message in the conversation it belongs to, or a new one. A repeated Message-ID changes nothing and returns the ids
 * of the first time. The sender becomes an external contact, never a customer.
 *
 * Runs in the caller's transaction. The thread's locks are taken before any row is, so writers of one thread are serialized and
 * those of different threads do not block each other.
 *
 * @param changes takes what changes; the caller writes it
 */
export async function storeInboundMail(
  client: pg.PoolClient,
  request: InboundMail,
  changes: ConversationChanges,
): Promise<StoredMail> {
  const { identityId, mail } = request;
  const threadKeys = threadKeysOf(mail);
  await takeThreadLocks(client, identityId, { messageId: mail.messageId, threadKeys });
  const isBlocked = !request.own.has(mail.from.email) && (await isBlockedSender(client, identityId, mail.from.email));
  const inbound: ThreadedMail = { ...request, isBlocked, receivedAt: request.receivedAt ?? new Date() };
  const known = await findByMessageId(client, identityId, mail.messageId);
  if (known) return addCopy(client, inbound, known, changes);
  const deleted = await findDeleted(client, identityId, mail.messageId);
  if (deleted) return { ...deleted, isNew: false };
  const joinedId = await joinConversation(client, inbound, threadKeys, changes);
  const conversationId = joinedId ?? v7();
  const message = newMessageOf(inbound, conversationId, threadKeys);
  if (joinedId === undefined) {
    const { originAddress } = inbound;
    const waitingSince = isToBeAnswered(inbound) ? inbound.receivedAt : null;
    const counterpart = counterpartOf(inbound);
    const status = inbound.isSettled ? 'completed' : 'pending';
    await insertConversation(client, message, { status, originAddress, counterpart, waitingSince, isSpam: isBlocked });
    changes.created(conversationId);
  }
  const messageId = await insertMessage(client, message);
  await requestRendering(client, { identityId, messageId }, mail.html);
  await insertParticipants(client, message);
  await assignAgents(client, identityId, conversationId, inbound.agentIds);
  if (mail.from.email !== '' && !isBlocked && !inbound.own.has(mail.from.email))
    await ensureContact(client, identityId, mail.from);
  changes.message('message.received', newMessageRecord(messageId, message));
  return { conversationId, messageId, isNew: true };
}

/** The same message in another envelope: it may be for more of this identity's addresses and agents than the first one. */
async function addCopy(
  client: pg.PoolClient,
  inbound: ThreadedMail,
  known: KnownMessage,
  changes: ConversationChanges,
): Promise<StoredMail> {
  const { identityId, mail, recipients, agentIds } = inbound;
  const { conversationId, messageId } = known;
  if (known.fromEmail !== mail.from.email) {
    log().warn({ messageId }, 'a message came with the id of another one and was not stored');
  } else if (known.direction === 'inbound') {
    const bcc = recipients.map((email) => ({ email, displayName: null }));
    const locked = await lockConversations(client, identityId, [conversationId]);
    if (locked.length === 0) throw new ConcurrentChange('the conversation was merged meanwhile');
    await changes.before([conversationId]);
    await assignAgents(client, identityId, conversationId, agentIds);
    await insertParticipants(client, { identityId, conversationId, from: mail.from, to: mail.to, cc: mail.cc, bcc });
  }
  return { conversationId, messageId, isNew: false };
}

/** The Message-IDs a message refers to: its references, and for a bounce, the message it is about. */
function threadKeysOf({ references, report, messageId }: ParsedMail): string[] {
  const about = report?.originalMessageId;
  const keys = about ? [...references, about] : references;
  return [...new Set(keys)].filter((key) => key !== messageId);
}

async function takeThreadLocks(
  client: pg.PoolClient,
  identityId: string,
  message: { messageId: string; threadKeys: string[] },
): Promise<void> {
  const numbers = threadLocks(identityId, message).map(String);
  await client.query({
    name: 'thread-locks',
    text: 'SELECT count(pg_advisory_xact_lock(number)) FROM (SELECT unnest($1::bigint[]) AS number) numbers',
    values: [numbers],
  });
}

interface KnownMessage {
  conversationId: string;
  messageId: string;
  fromEmail: string;
  direction: 'inbound' | 'outbound';
}

async function findByMessageId(
  client: pg.PoolClient,
  identityId: string,
  messageIdHeader: string,
): Promise<KnownMessage | undefined> {
  const [found] = await rows<KnownMessage>(client, {
    name: 'message-by-header',
    text: `SELECT id AS "messageId", conversation_id AS "conversationId", from_email AS "fromEmail", direction FROM messages
      WHERE identity_id = $1 AND message_id_header = $2`,
    values: [identityId, messageIdHeader],
  });
  return found;
}

/** The ids of a permanently deleted message that is delivered again. */
async function findDeleted(
  client: pg.PoolClient,
  identityId: string,
  messageIdHeader: string,
): Promise<Pick<StoredMail, 'conversationId' | 'messageId'> | undefined> {
  const [found] = await rows<Pick<StoredMail, 'conversationId' | 'messageId'>>(client, {
    name: 'message-deleted',
    text: `SELECT conversation_id AS "conversationId", message_id AS "messageId" FROM deleted_messages
      WHERE identity_id = $1 AND message_id_header = $2`,
    values: [identityId, messageIdHeader],
  });
  return found;
}

/** The conversations that a message joins: those of messages it refers to, and those that refer to it. Locks their rows. */
async function joinedConversations(
  client: pg.PoolClient,
  { identityId, mail }: InboundMail,
  threadKeys: string[],
): Promise<FoundConversation[]> {
  const named = await rows<{ id: string }>(client, {
    name: 'thread-conversations',
    text: `SELECT conversation_id AS id FROM messages WHERE identity_id = $1 AND message_id_header = ANY($2::text[])
      UNION SELECT conversation_id FROM messages WHERE identity_id = $1 AND thread_keys @> ARRAY[$3::text]`,
    values: [identityId, threadKeys, mail.messageId],
  });
  if (named.length === 0) return [];
  const ids = named.map(({ id }) => id);
  const locked = await lockConversations(client, identityId, ids);
  if (locked.length < named.length) throw new ConcurrentChange('a conversation was merged meanwhile');
  return locked;
}

function lockConversations(client: pg.PoolClient, identityId: string, ids: readonly string[]): Promise<FoundConversation[]> {
  return rows<FoundConversation>(client, {
    name: 'thread-lock-rows',
    text: `SELECT id, created_at AS "createdAt" FROM conversations WHERE identity_id = $1 AND id = ANY($2::uuid[])
      ORDER BY id FOR UPDATE`,
    values: [identityId, ids],
  });
}

/** Continues the conversation that a message belongs to. @returns its id; undefined if there is none yet */
async function joinConversation(
  client: pg.PoolClient,
  inbound: ThreadedMail,
  threadKeys: string[],
  changes: ConversationChanges,
): Promise<string | undefined> {
  const joined = await joinedConversations(client, inbound, threadKeys);
  const survivor = survivorOf(joined);
  if (!survivor) return undefined;
  await changes.before(joined.map(({ id }) => id));
  const others = joined.filter(({ id }) => id !== survivor.id).map(({ id }) => id);
  if (others.length > 0) {
    await mergeConversations(client, inbound.identityId, survivor.id, others);
    changes.merged(others, survivor.id);
  }
  const { identityId } = inbound;
  if (inbound.isBlocked || inbound.isSettled) await extendConversation(client, survivor.id, inbound);
  else {
    if (isToBeAnswered(inbound)) await cancelForReply(client, { id: survivor.id, identityId }, changes);
    await continueConversation(client, survivor.id, inbound);
  }
  return survivor.id;
}

/**
 * The conversation's counterpart after an inbound message: its sender, or if that is this identity, its first external
 * recipient.
 */
function counterpartOf({ mail, own }: InboundMail): { email: string; displayName: string | null } {
  if (mail.from.email !== '' && !own.has(mail.from.email)) return mail.from;
  return [...mail.replyTo, ...mail.to, ...mail.cc].find(({ email }) => !own.has(email)) ?? mail.from;
}

/** False for automatic replies and reports, for what was sent from an address of ours by another program, and for what is settled. */
function isToBeAnswered({ isAutoReply, isSettled, own, mail }: InboundMail): boolean {
  return !isAutoReply && !isSettled && mail.report === null && !own.has(mail.from.email);
}

/**
 * Updates a conversation for an inbound message: it becomes pending, unread and returns to the inbox, also from the trash. Spam stays
 * spam.
 */
async function continueConversation(client: pg.PoolClient, id: string, inbound: ThreadedMail): Promise<void> {
  const counterpart = counterpartOf(inbound);
  await client.query({
    name: 'conversation-continue',
    text: `UPDATE conversations c SET status = 'pending', is_read = false, is_archived = false, is_trashed = false, trashed_at = NULL, message_count = message_count + 1,
        last_message_at = greatest(last_message_at, $3), preview = CASE WHEN last_message_at > $3 THEN preview ELSE $4 END,
        origin_address = coalesce(origin_address, $5), counterpart_email = $6, counterpart_name = $7,
        updated_at = now(),
        waiting_since = CASE WHEN $8 THEN NULL WHEN ${isOpen} AND c.waiting_since IS NOT NULL THEN c.waiting_since WHEN $9 THEN $3 END
      WHERE identity_id = $1 AND id = $2`,
    values: [
      inbound.identityId,
      id,
      inbound.receivedAt,
      previewOf(inbound.mail.text),
      inbound.originAddress,
      counterpart.email,
      counterpart.displayName,
      inbound.own.has(inbound.mail.from.email),
      isToBeAnswered(inbound),
    ],
  });
}

/** Adds a message of a blocked sender, or one that is settled, to a conversation, which stays where and as it is. */
async function extendConversation(client: pg.PoolClient, id: string, inbound: ThreadedMail): Promise<void> {
  await client.query({
    name: 'conversation-extend',
    text: `UPDATE conversations SET message_count = message_count + 1, last_message_at = greatest(last_message_at, $3),
        preview = CASE WHEN last_message_at > $3 THEN preview ELSE $4 END, updated_at = now()
      WHERE identity_id = $1 AND id = $2`,
    values: [inbound.identityId, id, inbound.receivedAt, previewOf(inbound.mail.text)],
  });
}

/** Addresses of this identity that are in the envelope but not in the message: they got a blind copy. */
function blindRecipients({ mail, recipients }: InboundMail): MailAddress[] {
  const named = new Set([...mail.to, ...mail.cc, ...mail.bcc].map(({ email }) => email.toLowerCase()));
  return recipients.filter((email) => !named.has(email)).map((email) => ({ email, displayName: null }));
}

function newMessageOf(inbound: ThreadedMail, conversationId: string, threadKeys: string[]): NewMessage {
  const { mail, identityId, agentIds, isAutoReply, isBlocked, isSettled, receivedAt } = inbound;
  return {
    identityId,
    conversationId,
    direction: 'inbound',
    from: mail.from,
    to: mail.to,
    cc: mail.cc,
    bcc: [...mail.bcc, ...blindRecipients(inbound)],
    replyTo: mail.replyTo,
    subject: mail.subject,
    text: mail.text,
    html: mail.html,
    preview: previewOf(mail.text),
    messageIdHeader: mail.messageId,
    inReplyTo: mail.inReplyTo,
    references: mail.references,
    threadKeys,
    agentId: agentIds[0] ?? null,
    sentBy: null,
    isAutoReply,
    unsubscribe: mail.unsubscribe,
    isRead: isBlocked || isSettled,
    sendAt: null,
    sentAt: mail.sentAt,
    at: receivedAt,
    attachments: mail.attachments,
  };
}
