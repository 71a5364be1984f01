import { agents } from '@/server/features/agents/agent.sql';
import type { IdentityActor } from '@/server/platform/actor';
import { pool } from '@/server/platform/db/pool';
import { type Queryable, rows } from '@/server/platform/db/sql';
import { transaction } from '@/server/platform/db/transaction';
import { env } from '@/server/platform/env';
import { AppError, invalidFields, notFound } from '@/server/platform/errors';
import { nextCursorOf, positionOf } from '@/server/platform/list-cursor';
import { contactsByEmail } from '../customers/contact.service';
import { ownAddresses } from '../mailboxes/own-address.service';
import { tasksOfConversation } from '../usage/task.service';
import { listConversationPage } from './conversation.list';
import {
  type ConversationDetailRow,
  conversationIdOf,
  findConversation,
  lockConversation,
  toConversationRecord,
} from './conversation.queries';
import type {
  ConversationDetail,
  ConversationList,
  ListConversationsInput,
  ParticipantRecord,
  Thread,
  ThreadInput,
  UpdateConversationInput,
} from './conversation.schema';
import { markRead, markUnread } from './message.marks';
import { listMessagePage } from './message.queries';
import type { ListMessagesInput, MessageList } from './message.schema';

/** `GET /conversations` */
export function listConversations(actor: IdentityActor, input: ListConversationsInput): Promise<ConversationList> {
  return listConversationPage(actor.identityId, input);
}

/** `GET /conversations/{conversationId}` @throws AppError not_found */
export async function getConversation(actor: IdentityActor, id: string): Promise<ConversationDetail> {
  return untilSettled(actor.identityId, id, async (conversation) => {
    const detail = await toDetail(pool(), conversation);
    return { answer: detail, isEmpty: detail.participants.length === 0 };
  });
}

/**
 * Reads a conversation and its parts in several statements. If it is merged into another one between them, its parts have
 * moved; then it is read again, and the id leads to the other conversation.
 */
async function untilSettled<T>(
  identityId: string,
  id: string,
  read: (conversation: ConversationDetailRow) => Promise<{ answer: T; isEmpty: boolean }>,
): Promise<T> {
  const conversation = await findConversation(pool(), identityId, id);
  const first = await read(conversation);
  if (!first.isEmpty) return first.answer;
  const again = await findConversation(pool(), identityId, id);
  return again.id === conversation.id ? first.answer : (await read(again)).answer;
}

/** More participants than a conversation between people has. */
const participantsShown = 500;

interface ParticipantRow {
  email: string;
  role: ParticipantRecord['role'];
  displayName: string | null;
}

async function participantsOf(db: Queryable, identityId: string, conversationId: string): Promise<ParticipantRecord[]> {
  const found = await rows<ParticipantRow>(db, {
    name: 'conversation-participants',
    text: `SELECT email, role, display_name AS "displayName" FROM conversation_participants
      WHERE conversation_id = $1 AND identity_id = $2 ORDER BY role, email LIMIT ${participantsShown}`,
    values: [conversationId, identityId],
  });
  const own = await ownAddresses(db, identityId);
  const contactOf = await contactsByEmail(
    db,
    identityId,
    found.map(({ email }) => email),
  );
  return found.map((participant) => {
    const { guid, customerId } = contactOf(participant.email);
    return { ...participant, contactGuid: guid, customerId, isSelf: own.has(participant.email) };
  });
}

function assignedAgentsOf(
  db: Queryable,
  identityId: string,
  conversationId: string,
): Promise<ConversationDetail['assignedAgents']> {
  return rows<ConversationDetail['assignedAgents'][number]>(db, {
    name: 'conversation-agents',
    text: `SELECT a.id, a.name, a.role_id AS "roleId", a.avatar_url AS "avatarUrl",
        coalesce(a.persona->>'avatarEmoji', '') AS "avatarEmoji", a.status
      FROM conversation_agents c JOIN ${agents} a ON a.identity_id = c.identity_id AND a.id = c.agent_id
      WHERE c.conversation_id = $1 AND c.identity_id = $2 ORDER BY c.created_at, a.id`,
    values: [conversationId, identityId],
  });
}

async function idsMergedInto(db: Queryable, identityId: string, conversationId: string): Promise<string[]> {
  const found = await rows<{ id: string }>(db, {
    name: 'conversation-merged-ids',
    text: 'SELECT id FROM merged_conversations WHERE identity_id = $1 AND conversation_id = $2',
    values: [identityId, conversationId],
  });
  return [conversationId, ...found.map(({ id }) => id)];
}

async function toDetail(db: Queryable, row: ConversationDetailRow): Promise<ConversationDetail> {
  const { id, identityId, metadata, createdAt, updatedAt } = row;
  return {
    ...toConversationRecord(row),
    metadata,
    createdAt,
    updatedAt,
    participants: await participantsOf(db, identityId, id),
    assignedAgents: await assignedAgentsOf(db, identityId, id),
    linkedTasks: await tasksOfConversation(db, identityId, await idsMergedInto(db, identityId, id)),
  };
}

/** `GET /conversations/{conversationId}/messages` @throws AppError not_found */
export async function listMessages(actor: IdentityActor, input: ListMessagesInput): Promise<MessageList> {
  const { limit, conversationId, direction, order } = input;
  const key = ['messages', actor.identityId, conversationId, direction, order];
  const position = positionOf(key, input);
  const found = await untilSettled(actor.identityId, conversationId, async (conversation) => {
    const page = await listMessagePage(pool(), conversation, { ...input, position });
    return { answer: page, isEmpty: page.matches === 0 };
  });
  const { page: messages, matches: total, hasMore } = found;
  const offset = position?.before ?? input.offset;
  return { messages, total, limit, offset, hasMore, nextCursor: nextCursorOf(key, found, (row) => row.createdAt, offset) };
}

/** `PATCH /conversations/{conversationId}`: only supplied fields change. @throws AppError not_found */
export async function updateConversation(actor: IdentityActor, input: UpdateConversationInput): Promise<ConversationDetail> {
  const { identityId } = actor;
  return transaction(actor, async (client) => {
    const stored = await lockConversation(client, identityId, input.conversationId);
    const { status, isArchived, isSpam } = input;
    const isRead = input.isRead === undefined ? undefined : await markMessages(client, stored, input.isRead, input.seenUntil);
    if ([status, isArchived, isSpam, isRead].every((value) => value === undefined)) return toDetail(client, stored);
    await client.query({
      name: 'conversation-update',
      text: `UPDATE conversations SET status = coalesce($3::conversation_status, status), is_archived = coalesce($4, is_archived),
          is_spam = coalesce($5, is_spam), is_read = coalesce($6, is_read), updated_at = now()
        WHERE identity_id = $1 AND id = $2`,
      values: [identityId, stored.id, status ?? null, isArchived ?? null, isSpam ?? null, isRead ?? null],
    });
    return toDetail(client, await findConversation(client, identityId, stored.id));
  });
}

/** @returns whether the whole conversation is read afterwards */
async function markMessages(
  db: Queryable,
  { id: conversationId, identityId }: ConversationDetailRow,
  isRead: boolean,
  seenUntil: string | undefined,
): Promise<boolean> {
  if (isRead) return markRead(db, { identityId, conversationId }, seenUntil);
  await markUnread(db, { identityId, conversationId });
  return false;
}

/** Maximum messages in a thread: the newest. */
const threadMessages = 200;

/** The conversation with `conversationId` or of `messageId`; if both are given, they must agree. @throws AppError not_found */
async function conversationOf(identityId: string, { conversationId, messageId }: ThreadInput): Promise<ConversationDetailRow> {
  const ofMessage = messageId === undefined ? undefined : await conversationIdOf(pool(), identityId, messageId);
  const conversation = await findConversation(pool(), identityId, conversationId ?? ofMessage ?? '');
  if (ofMessage !== undefined && ofMessage !== conversation.id) throw notFound();
  return conversation;
}

/** `GET /email/thread` @throws AppError not_found; invalid_request if neither id is given */
export async function getThread(actor: IdentityActor, input: ThreadInput): Promise<Thread> {
  if (input.conversationId === undefined && input.messageId === undefined) {
    throw new AppError('invalid_request', 'Give conversationId or messageId.', invalidDetails());
  }
  const { id } = await conversationOf(actor.identityId, input);
  return untilSettled(actor.identityId, id, async (conversation) => {
    const thread = await threadOf(conversation);
    return { answer: { thread }, isEmpty: thread.messages.length === 0 };
  });
}

async function threadOf(conversation: ConversationDetailRow): Promise<Thread['thread']> {
  const page = { direction: undefined, order: 'desc', limit: threadMessages, offset: 0, includeAttachments: true } as const;
  const { page: messages } = await listMessagePage(pool(), conversation, page);
  return {
    id: conversation.id,
    subject: conversation.subject,
    participants: await participantsOf(pool(), conversation.identityId, conversation.id),
    messages: messages.reverse(),
    lastMessageAt: conversation.lastMessageAt,
  };
}

function invalidDetails() {
  const reason = 'is required where the other one is not given';
  const { details } = invalidFields({ conversationId: reason, messageId: reason });
  return details ? { details } : {};
}

/** The URL of a conversation, which replaces the deprecated path. */
export function conversationUrl(id: string): string {
  return `${env().PUBLIC_URL ?? ''}/api/v1/conversations/${id}`;
}

/**
 * The address to reply from if the conversation came in through one of the whitelisted addresses (specification,
 * "contextualFromAddress"); undefined otherwise.
 *
 * @throws AppError not_found for an unknown or foreign id
 */
export async function contextualFromAddress(actor: IdentityActor, input: ThreadInput): Promise<string | undefined> {
  const { originAddress: origin } = await conversationOf(actor.identityId, input);
  const { whitelisted } = await ownAddresses(pool(), actor.identityId);
  return origin !== null && whitelisted.includes(origin) ? origin : undefined;
}
