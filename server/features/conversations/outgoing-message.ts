import type pg from 'pg';
import type { IdentityActor } from '@/server/platform/actor';
import { memberships, users } from '@/server/platform/auth/accounts.sql';
import { futureTime } from '@/server/platform/db/future-time';
import { type Queryable, rows } from '@/server/platform/db/sql';
import { notFound } from '@/server/platform/errors';
import type { EmailFormat } from '@/server/platform/mail/email-formats.schema';
import { canSendMail } from '@/server/platform/mail/smtp-transport';
import { enqueueMails } from '../outbox/outbox.service';
import type { MailAgent } from '../own-addresses/agent-address.service';
import type { OwnAddresses, Sender } from '../own-addresses/own-address.service';
import type { ComposerChoices } from './composer.schema';
import type { ConversationStatus } from './conversation.schema';
import type { ConversationChanges } from './conversation-changes.service';
import { type DraftAuthor, draftAuthorOf } from './draft-author';
import type { MailAddressRecord, MessageRecord, NewConversationInput, ParsedReplyInput } from './message.schema';
import { assignAgents, insertMessage, insertParticipants, type NewMessage, newMessageRecord } from './message.writer';

/** What replies and new emails have in common. */

export type Recipients = Pick<NewMessage, 'to' | 'cc' | 'bcc'>;

/** Recipients of an input. */
export function addressesOf(list: NonNullable<ParsedReplyInput['to']>): MailAddressRecord[] {
  return list.map((item) =>
    typeof item === 'string' ? { email: item, displayName: null } : { email: item.email, displayName: item.displayName || null },
  );
}

/** Each recipient once, where it is named first. */
export function eachOnce({ to, cc, bcc }: Recipients): Recipients {
  const seen = new Set<string>();
  const once = (list: MailAddressRecord[]) =>
    list.filter(({ email }) => !seen.has(email.toLowerCase()) && seen.add(email.toLowerCase()));
  return { to: once(to), cc: once(cc), bcc: once(bcc) };
}

/** The agent who signs. @throws AppError not_found */
export function agentOf(agentId: string | null | undefined, own: OwnAddresses): MailAgent | undefined {
  if (!agentId) return undefined;
  const agent = own.agents.find(({ id }) => id === agentId.toLowerCase());
  if (!agent) throw notFound();
  return agent;
}

/** What the composer offers beside these senders. */
export async function composerChoices(
  db: Queryable,
  actor: IdentityActor,
  own: OwnAddresses,
  senders: Sender[],
): Promise<ComposerChoices> {
  const agents = own.agents.filter(({ status }) => status !== 'archived');
  return {
    senders: senders.map((sender) => ({ ...sender, canSend: canSendMail() || own.sending.includes(sender.email) })),
    agents: agents.map(({ id, name, avatarEmoji, avatarUrl, signature }) => ({ id, name, avatarEmoji, avatarUrl, signature })),
    ...(await sendingOf(db, actor)),
  };
}

type Sending = Pick<ComposerChoices, 'undoSeconds' | 'emailFormat' | 'signature'>;

/** What a member wants of the emails that they send: how they are written and signed, and how long they can be taken back. */
async function sendingOf(db: Queryable, actor: IdentityActor): Promise<Sending> {
  const none: Sending = { undoSeconds: 0, emailFormat: 'plain', signature: '' };
  if (actor.kind !== 'session') return none;
  const [found] = await rows<Sending>(db, {
    name: 'member-sending',
    isByKey: true,
    text: `SELECT u.undo_seconds AS "undoSeconds", u.email_format AS "emailFormat", m.signature FROM ${users} u JOIN ${memberships} m ON m.user_id = u.id
      WHERE u.id = $1 AND m.identity_id = $2`,
    values: [actor.userId, actor.identityId],
  });
  return found ?? none;
}

/** What an email is signed with: the agent's signature, or else that of the member who sends it. */
export async function signatureOf(db: Queryable, actor: IdentityActor, agent: MailAgent | undefined): Promise<string> {
  return agent ? agent.signature : (await sendingOf(db, actor)).signature;
}

/** The From of an email that this agent signs, or none. */
export function fromOf({ email, displayName }: Sender, agent: MailAgent | undefined): MailAddressRecord {
  return { email, displayName: agent ? agent.name : displayName };
}

/** The member who sends. */
export function sentByOf(actor: IdentityActor): NewMessage['sentBy'] {
  return actor.kind === 'session' ? { userId: actor.userId, name: actor.name?.trim() || null } : null;
}

/** When an email is sent, if not at once, by the clock of the database, as jobs are. @throws AppError invalid_request */
export async function sendAtOf(
  db: Queryable,
  { sendAt, holdSeconds = 0 }: Pick<ParsedReplyInput, 'sendAt' | 'holdSeconds'>,
): Promise<Date | null> {
  if (sendAt === undefined && holdSeconds === 0) return null;
  return futureTime(db, 'sendAt', { time: sendAt, inSeconds: holdSeconds });
}

/** Whether an email is cancelled if the other side writes before it is sent: one that is scheduled, unless it says otherwise. */
export function isCancelledByReply({
  sendAt,
  cancelIfReply = true,
}: Pick<ParsedReplyInput, 'sendAt' | 'cancelIfReply'>): boolean {
  return sendAt !== undefined && cancelIfReply;
}

/** What a message was written as, kept with its email for the draft that it becomes if it is cancelled. */
export interface WrittenAs {
  /** Null for the system. */
  author: DraftAuthor | null;
  from: string | null;
  /** Absent in emails of versions before 0.13.0, which are plain. */
  format?: EmailFormat;
  text: string;
  html: string | null;
  agentId: string | null;
  quote: boolean;
  forwardMessageId: string | null;
  /** The status that its conversation had; null for one that it began. */
  statusBefore: ConversationStatus | null;
  /** True if its agent is assigned to the conversation because of it. */
  addsAgent: boolean;
}

/** What is written, and who writes it. */
export function writtenAs(
  actor: IdentityActor,
  input: Pick<ParsedReplyInput, 'from' | 'format' | 'text' | 'html' | 'agentId'> &
    Partial<Pick<NewConversationInput, 'forwardMessageId'>>,
  { quote, statusBefore }: Pick<WrittenAs, 'quote' | 'statusBefore'>,
): Omit<WrittenAs, 'addsAgent'> {
  return {
    ...{ author: actor.kind === 'system' ? null : draftAuthorOf(actor), quote, statusBefore },
    format: input.format ?? 'plain',
    ...{ from: input.from ?? null, text: input.text, html: input.html ?? null, agentId: input.agentId ?? null },
    forwardMessageId: input.forwardMessageId ?? null,
  };
}

/** A message that was written, and is queued once its events are. */
interface Written {
  record: MessageRecord;
  addsAgent: boolean;
}

/**
 * Writes an outgoing message of a conversation whose row the transaction has locked or written.
 *
 * @param changes takes its event; the caller writes it, and queues the email after that
 */
export async function writeOutgoing(client: pg.PoolClient, message: NewMessage, changes: ConversationChanges): Promise<Written> {
  const { identityId, conversationId, agentId } = message;
  const id = await insertMessage(client, message);
  await insertParticipants(client, message);
  const added = await assignAgents(client, identityId, conversationId, agentId === null ? [] : [agentId]);
  const record = newMessageRecord(id, message);
  changes.message('message.queued', record);
  return { record, addsAgent: added > 0 };
}

/**
 * Queues the email of a message. Call it after the events are written: counting the mail blocks other mail of the identity until the
 * end of the transaction.
 *
 * @param draft what it was written as
 * @throws AppError quota_exceeded
 */
export async function enqueueMessage(
  client: pg.PoolClient,
  messageId: string,
  message: NewMessage,
  draft: WrittenAs,
  cancelIfReply: boolean,
): Promise<void> {
  const { identityId, from, to, cc, bcc, text, inReplyTo, references, messageIdHeader, subject, sendAt } = message;
  const [replyTo] = message.replyTo;
  const attachments = message.attachments.map(({ filename, contentType, sha256, contentId }) => ({
    ...{ filename, contentType, sha256 },
    ...(contentId === null ? {} : { contentId }),
  }));
  const content = { from, to, cc, bcc, text, html: message.html ?? '', inReplyTo, references };
  const mail = { ...content, ...(replyTo ? { replyTo } : {}), ...(attachments.length > 0 ? { attachments } : {}) };
  const time = sendAt === null ? {} : { sendAt, cancelIfReply };
  await enqueueMails(client, [{ identityId, kind: 'reply', messageId, messageIdHeader, subject, ...time, draft, mail }]);
}
