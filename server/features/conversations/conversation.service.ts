import type { IdentityActor } from '@/server/platform/actor';
import { pool } from '@/server/platform/db/pool';
import { lockRevision } from '@/server/platform/db/record-version';
import type { WordFilter } from '@/server/platform/db/word-search';
import { env } from '@/server/platform/env';
import { AppError, invalidFields, notFound } from '@/server/platform/errors';
import { nextCursorOf, positionOf } from '@/server/platform/list-cursor';
import type { RecordVersion } from '@/server/platform/operations/operation';
import { ownAddresses } from '../own-addresses/own-address.service';
import { assigneeFilterOf } from './assignee';
import { readDetails } from './conversation.detail';
import { listConversationPage } from './conversation.list';
import { type ConversationDetailRow, conversationIdOf, findConversation } from './conversation.queries';
import type { ConversationDetail, ConversationList, ListConversationsInput, Thread, ThreadInput } from './conversation.schema';
import { listMessagePage } from './message.queries';
import type { ListMessagesInput, MessageList } from './message.schema';

/** `GET /conversations` @throws AppError invalid_request for the assignee `me` by a key that is no agent's */
export async function listConversations(
  actor: IdentityActor,
  input: ListConversationsInput & WordFilter,
): Promise<ConversationList> {
  const assignee = await assigneeFilterOf(actor, input.assignee);
  return listConversationPage(actor.identityId, { ...input, assignee });
}

export const conversationVersion: RecordVersion<{ conversationId: string }, ConversationDetail> = {
  lock: (db, { identityId }, { conversationId }) =>
    lockRevision(db, {
      name: 'conversation-revision',
      text: `SELECT revision FROM conversations WHERE identity_id = $1::uuid AND id = coalesce(
          (SELECT conversation_id FROM merged_conversations WHERE identity_id = $1::uuid AND id = $2::uuid), $2::uuid
        ) FOR NO KEY UPDATE`,
      values: [identityId, conversationId],
    }),
  others: ({ participants, assignedAgents, linkedTasks, assignee, labels }) => [
    participants.map(({ customerId, isSelf }) => [customerId, isSelf]),
    assignedAgents,
    linkedTasks,
    assignee?.name,
    labels,
  ],
};

/** `GET /conversations/{conversationId}` @throws AppError not_found */
export async function getConversation({ identityId }: IdentityActor, id: string): Promise<ConversationDetail> {
  const own = await ownAddresses(pool(), identityId);
  for (;;) {
    const { id: currentId } = await findConversation(pool(), identityId, id);
    const detail = (await readDetails(pool(), identityId, [currentId], own)).get(currentId);
    // Else it was merged between the two statements, and its id leads to another one.
    if (detail) return detail;
  }
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
  const { id, identityId } = conversation;
  const page = { direction: undefined, order: 'desc', limit: threadMessages, offset: 0, includeAttachments: true } as const;
  const { page: messages } = await listMessagePage(pool(), conversation, page);
  const own = await ownAddresses(pool(), identityId);
  const detail = (await readDetails(pool(), identityId, [id], own, { withTasks: false })).get(id);
  return {
    id,
    subject: conversation.subject,
    participants: detail?.participants ?? [],
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
