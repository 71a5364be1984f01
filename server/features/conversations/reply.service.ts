import type pg from 'pg';
import type { IdentityActor } from '@/server/platform/actor';
import { requireScope } from '@/server/platform/auth/access';
import { pool } from '@/server/platform/db/pool';
import { type Queryable, rows } from '@/server/platform/db/sql';
import { transaction } from '@/server/platform/db/transaction';
import { invalidFields, notFound } from '@/server/platform/errors';
import { newMessageId } from '@/server/platform/mail/mail-headers';
import { previewOf } from '@/server/platform/mail/mail-text';
import type { MailAgent } from '../own-addresses/agent-address.service';
import { type OwnAddresses, ownAddresses, type Sender, sendersOf } from '../own-addresses/own-address.service';
import { requireStorage } from '../usage/quota.service';
import type { ReplyDraft } from './composer.schema';
import { type ConversationDetailRow, findConversation, lockConversation } from './conversation.queries';
import { conversationChanges } from './conversation-changes.service';
import { draftIn, sendDraft } from './draft.service';
import { markRead } from './message.marks';
import { type MailAddressRecord, type MessageRecord, type ParsedReplyInput, recipientsMaximum } from './message.schema';
import type { NewMessage } from './message.writer';
import { refuseIfAnswered } from './other-reply';
import { type OutgoingContent, outgoingContent, withPictures } from './outgoing-content';
import {
  addressesOf,
  agentOf,
  composerChoices,
  eachOnce,
  enqueueMessage,
  fromOf,
  isCancelledByReply,
  type Recipients,
  sendAtOf,
  sentByOf,
  signatureOf,
  writeOutgoing,
  writtenAs,
} from './outgoing-message';
import { composeBody, type QuotedMessage, quotationOf, replyHeaders, replySubject } from './reply-message';
import { type AnsweredMessage, type ReplyRecipients, replyToAll } from './reply-recipients';
import { takeAttachments } from './upload.service';

interface Answered extends AnsweredMessage, QuotedMessage {
  isAutoReply: boolean;
}

interface AnsweredRow extends Omit<Answered, 'from'> {
  from_email: string;
  from_name: string | null;
}

/**
 * The message a reply answers: the last received from a person, else the last received, else our own last one. Automatic mail
 * is only referenced; a reply is never addressed to it (contract section 6).
 */
async function answeredMessage(db: Queryable, { id, identityId }: ConversationDetailRow): Promise<Answered> {
  const [found] = await rows<AnsweredRow>(db, {
    name: 'message-to-answer',
    isoTimes: true,
    text: `SELECT direction, is_auto_reply AS "isAutoReply", from_email, from_name, reply_to AS "replyTo", "to", cc, subject, text,
        message_id_header AS "messageIdHeader", "references", coalesce(sent_at, created_at) AS at
      FROM messages WHERE identity_id = $1 AND conversation_id = $2
      ORDER BY (direction = 'inbound' AND NOT is_auto_reply) DESC, (direction = 'inbound') DESC, created_at DESC, id DESC LIMIT 1`,
    values: [identityId, id],
  });
  if (!found) throw notFound();
  const { from_email: email, from_name: displayName, ...message } = found;
  return { ...message, from: { email, displayName } };
}

function defaultRecipients(answered: Answered, own: OwnAddresses): ReplyRecipients {
  if (answered.direction === 'inbound' && answered.isAutoReply) return { to: [], cc: [] };
  const all = replyToAll(answered, own.has);
  if (all.to.length + all.cc.length <= recipientsMaximum) return all;
  // The sender of a mass mail does not decide that the reply goes to all its recipients.
  return replyToAll({ ...answered, replyTo: [], to: [], cc: [] }, own.has);
}

/** The recipients of the input; if it names none, those that follow from the message that is answered. */
function recipientsOf(input: ParsedReplyInput, answered: Answered, own: OwnAddresses): Recipients {
  const asked = (list: ParsedReplyInput['to']) => (list === undefined ? undefined : addressesOf(list));
  const defaults = defaultRecipients(answered, own);
  const bcc = asked(input.bcc) ?? [];
  const to = asked(input.to) ?? defaults.to;
  const cc = asked(input.cc) ?? (input.to === undefined ? defaults.cc : []);
  if (to.length === 0 && cc.length === 0 && bcc.length === 0) {
    throw invalidFields({ to: 'must name a recipient: the message that is answered gives none, or all were left out' });
  }
  return eachOnce({ to, cc, bcc });
}

function senderOf(input: ParsedReplyInput, own: OwnAddresses, conversation: ConversationDetailRow): Sender {
  const senders = sendersOf(own, conversation.originAddress);
  const sender = input.from === undefined ? senders[0] : senders.find(({ email }) => email === input.from);
  if (!sender && input.from === undefined)
    throw invalidFields({ from: 'is required: this identity has no address to write from' });
  if (!sender) throw invalidFields({ from: 'is not an address of this identity' });
  return sender;
}

/**
 * `POST /conversations/{conversationId}/messages`: replies in the conversation. Message, conversation and outbox are written
 * together; the worker sends.
 *
 * @param at now, except for demo data
 * @throws AppError not_found for an unknown conversation or agent; invalid_request without any recipient; conflict if another author
 *   has replied after `seenUntil`; quota_exceeded;
 *   insufficient_scope for a key that may not send, or not read what it quotes
 */
export async function replyTo(actor: IdentityActor, input: ParsedReplyInput, at?: Date): Promise<MessageRecord> {
  const { identityId } = actor;
  const { seenUntil, evenIfAnswered = false } = input;
  requireScope(actor, 'conversations:send');
  // The answer contains what is quoted.
  if (input.quote) requireScope(actor, 'conversations:read');
  const content = await outgoingContent(identityId, input);
  return transaction(actor, async (client) => {
    const conversation = await lockConversation(client, identityId, input.conversationId);
    if (seenUntil !== undefined && !evenIfAnswered) await refuseIfAnswered(client, actor, conversation.id, seenUntil);
    const own = await ownAddresses(client, identityId);
    await sendDraft(client, actor, input.draftId);
    const changes = conversationChanges(client, identityId, own);
    await changes.before([conversation.id]);
    const answered = await answeredMessage(client, conversation);
    const agent = agentOf(input.agentId, own);
    const sender = senderOf(input, own, conversation);
    const attachments = withPictures(await takeAttachments(client, actor, input.attachmentIds), content.pictures);
    const signature = await signatureOf(client, actor, agent);
    const sentBy = sentByOf(actor);
    const sendAt = await sendAtOf(client, input);
    // Not before the lock is held: a reply that had to wait is younger than the one it has waited for.
    const message = composeMessage({
      ...{ sentBy, conversation, input, content, answered, own, sender, agent, signature, attachments, sendAt },
      at: at ?? new Date(),
    });
    const { record: queued, addsAgent } = await writeOutgoing(client, message, changes);
    await continueConversation(client, message, seenUntil);
    await changes.write(actor);
    const draft = writtenAs(actor, input, { quote: input.quote, statusBefore: conversation.status });
    await enqueueMessage(client, queued.id, message, { ...draft, addsAgent }, isCancelledByReply(input));
    await requireStorage(client, identityId);
    return queued;
  });
}

interface Composition {
  conversation: ConversationDetailRow;
  input: ParsedReplyInput;
  content: OutgoingContent;
  answered: Answered;
  own: OwnAddresses;
  sender: Sender;
  agent: MailAgent | undefined;
  signature: string;
  at: Date;
  sentBy: NewMessage['sentBy'];
  attachments: NewMessage['attachments'];
  sendAt: Date | null;
}

function composeMessage(composition: Composition): NewMessage {
  const { sentBy, conversation, input, content, answered, own, sender, agent, signature, at, attachments, sendAt } = composition;
  const { inReplyTo, references } = replyHeaders(answered);
  const quotation = input.quote ? quotationOf(answered) : null;
  const { text, html } = composeBody({ ...content, signature, quotation });
  return {
    identityId: conversation.identityId,
    conversationId: conversation.id,
    direction: 'outbound',
    from: fromOf(sender, agent),
    ...recipientsOf(input, answered, own),
    replyTo: replyToOf(sender, agent, conversation),
    subject: replySubject(answered.subject || conversation.subject),
    text,
    html,
    preview: previewOf(text),
    messageIdHeader: newMessageId(sender.email),
    inReplyTo,
    references,
    threadKeys: references,
    agentId: agent?.id ?? null,
    sentBy,
    isAutoReply: false,
    isRead: true,
    sendAt,
    sentAt: null,
    at,
    attachments,
  };
}

/** Answers to a sender that identities share (MAIL_FROM) must come back to this one. */
function replyToOf(
  sender: Sender,
  agent: MailAgent | undefined,
  { originAddress: origin }: ConversationDetailRow,
): MailAddressRecord[] {
  return sender.reason === 'fallback' && origin ? [{ email: origin, displayName: fromOf(sender, agent).displayName }] : [];
}

/** Replying marks the conversation as read up to `seenUntil`; later messages stay unread. One in the trash is restored. */
async function continueConversation(client: pg.PoolClient, message: NewMessage, seenUntil: string | undefined): Promise<void> {
  const { identityId, conversationId } = message;
  const isRead = (await markRead(client, identityId, [conversationId], seenUntil)).has(conversationId);
  await client.query({
    name: 'conversation-replied',
    text: `UPDATE conversations SET status = 'waiting_customer', is_read = $5, is_trashed = false, trashed_at = NULL, message_count = message_count + 1,
        last_message_at = greatest(last_message_at, $3), preview = $4, updated_at = now()
      WHERE identity_id = $1 AND id = $2`,
    values: [message.identityId, message.conversationId, message.at, message.preview, isRead],
  });
}

/** The composer's initial data. @throws AppError not_found */
export async function getReplyDraft(actor: IdentityActor, conversationId: string): Promise<ReplyDraft> {
  const db = pool();
  const conversation = await findConversation(db, actor.identityId, conversationId);
  const own = await ownAddresses(db, actor.identityId);
  const answered = await answeredMessage(db, conversation);
  const choices = await composerChoices(db, actor, own, sendersOf(own, conversation.originAddress));
  const origin = conversation.originAddress;
  const isOfOrigin = (agent: MailAgent) => origin !== null && [agent.email, ...agent.earlier].includes(origin);
  const writtenTo = own.agents.find((agent) => agent.status !== 'archived' && isOfOrigin(agent));
  return {
    ...choices,
    subject: replySubject(answered.subject || conversation.subject),
    ...defaultRecipients(answered, own),
    agentId: writtenTo?.id ?? null,
    draft: (await draftIn(db, actor, conversation.id)) ?? null,
  };
}
