import { v7 as uuidv7 } from 'uuid';
import type { IdentityActor } from '@/server/platform/actor';
import { requireScope } from '@/server/platform/auth/access';
import { pool } from '@/server/platform/db/pool';
import type { Queryable } from '@/server/platform/db/sql';
import { transaction } from '@/server/platform/db/transaction';
import { invalidFields, notFound } from '@/server/platform/errors';
import { newMessageId } from '@/server/platform/mail/mail-headers';
import { previewOf } from '@/server/platform/mail/mail-text';
import type { MailAgent } from '../own-addresses/agent-address.service';
import { type OwnAddresses, ownAddresses, type Sender, sendersOf } from '../own-addresses/own-address.service';
import { requireStorage } from '../usage/quota.service';
import type { NewEmailDraft, NewEmailDraftInput } from './composer.schema';
import type { NewConversation } from './conversation.schema';
import { conversationChanges } from './conversation-changes.service';
import { findDraft, sendDraft } from './draft.service';
import { type Forwarded, findForwarded } from './forwarded-message';
import type { NewConversationInput } from './message.schema';
import { type Beginning, insertConversation, type NewMessage } from './message.writer';
import { outgoingContent, withPictures } from './outgoing-content';
import {
  addressesOf,
  agentOf,
  composerChoices,
  eachOnce,
  enqueueMessage,
  fromOf,
  isCancelledByReply,
  sendAtOf,
  sentByOf,
  signatureOf,
  writeOutgoing,
  writtenAs,
} from './outgoing-message';
import { composeBody, forwardedOf, forwardSubject } from './reply-message';
import { takeAttachments } from './upload.service';

/**
 * The addresses that a new email can be sent from, the preselected one first. A sender that identities share (MAIL_FROM) is none: it could
 * not be known whose answers to a new email are.
 */
function newEmailSenders(own: OwnAddresses): Sender[] {
  return sendersOf(own, null).filter(({ reason }) => reason !== 'fallback');
}

function senderOf({ from }: NewConversationInput, own: OwnAddresses, agent: MailAgent | undefined): Sender {
  const senders = newEmailSenders(own);
  if (from !== undefined) {
    const sender = senders.find(({ email }) => email === from);
    if (!sender) throw invalidFields({ from: 'is not an address of this identity' });
    return sender;
  }
  const sender = senders.find(({ email }) => email === agent?.email) ?? senders[0];
  if (!sender) throw invalidFields({ from: 'is required: this identity has no address to write from' });
  return sender;
}

async function forwardedIn(
  db: Queryable,
  identityId: string,
  { forwardMessageId: id }: NewConversationInput,
): Promise<Forwarded | undefined> {
  if (id === undefined) return undefined;
  const message = await findForwarded(db, identityId, id);
  if (!message) throw invalidFields({ forwardMessageId: 'is not a message' });
  return message;
}

/**
 * `POST /conversations`: writes a new email. Conversation, message and outbox are written together; the worker sends.
 *
 * @param at now, except for demo data
 * @throws AppError not_found for an unknown agent; invalid_request for another sender, an unknown attachment or message to forward;
 *   conflict if its draft was sent or deleted already; quota_exceeded; insufficient_scope for a key that may not send, or not read what it forwards
 */
export async function startConversation(
  actor: IdentityActor,
  input: NewConversationInput,
  at = new Date(),
): Promise<NewConversation> {
  const { identityId } = actor;
  requireScope(actor, 'conversations:send');
  // The email contains what is forwarded.
  if (input.forwardMessageId !== undefined) requireScope(actor, 'conversations:read');
  const content = await outgoingContent(identityId, input);
  return transaction(actor, async (client) => {
    await sendDraft(client, actor, input.draftId);
    const own = await ownAddresses(client, identityId);
    const agent = agentOf(input.agentId, own);
    const from = fromOf(senderOf(input, own, agent), agent);
    const recipients = eachOnce({
      to: addressesOf(input.to),
      cc: addressesOf(input.cc ?? []),
      bcc: addressesOf(input.bcc ?? []),
    });
    const forwarded = await forwardedIn(client, identityId, input);
    const quotation = forwarded ? forwardedOf(forwarded) : null;
    const body = composeBody({ ...content, signature: await signatureOf(client, actor, agent), quotation });
    const attachmentIds = input.attachmentIds ?? forwarded?.attachments.map(({ id }) => id);
    const message: NewMessage = {
      ...{ identityId, from, ...recipients, ...body, at },
      conversationId: uuidv7(),
      direction: 'outbound',
      replyTo: [],
      subject: input.subject.trim(),
      preview: previewOf(body.text),
      messageIdHeader: newMessageId(from.email),
      inReplyTo: null,
      references: [],
      threadKeys: [],
      agentId: agent?.id ?? null,
      sentBy: sentByOf(actor),
      isAutoReply: false,
      isRead: true,
      sendAt: await sendAtOf(client, input),
      sentAt: null,
      attachments: withPictures(await takeAttachments(client, actor, attachmentIds), content.pictures),
    };
    await insertConversation(client, message, beginningOf(message, own));
    const changes = conversationChanges(client, identityId, own);
    changes.created(message.conversationId);
    const { record: queued, addsAgent } = await writeOutgoing(client, message, changes);
    const conversation = (await changes.write(actor)).get(message.conversationId);
    if (!conversation) throw new Error('A conversation that was just written exists.');
    const draft = writtenAs(actor, input, { quote: false, statusBefore: null });
    await enqueueMessage(client, queued.id, message, { ...draft, addsAgent }, isCancelledByReply(input));
    await requireStorage(client, identityId);
    return { conversation, message: queued };
  });
}

/**
 * The initial data of a new email in the dashboard, which may forward a message.
 *
 * @throws AppError not_found for an unknown message; the message that a draft forwards may be gone by now
 */
export async function getNewEmailDraft(actor: IdentityActor, input: NewEmailDraftInput): Promise<NewEmailDraft> {
  const { identityId } = actor;
  requireScope(actor, 'conversations:read');
  const own = await ownAddresses(pool(), identityId);
  const draft = input.draftId === undefined ? undefined : await findDraft(actor, input.draftId);
  const forwardedId = draft ? draft.forwardMessageId : (input.forwardMessageId ?? null);
  const message = forwardedId === null ? undefined : await findForwarded(pool(), identityId, forwardedId);
  if (forwardedId !== null && !message && !draft) throw notFound();
  const forwarded = message && {
    subject: forwardSubject(message.subject),
    quotation: forwardedOf(message).text,
    attachments: message.attachments,
  };
  return {
    ...(await composerChoices(pool(), actor, own, newEmailSenders(own))),
    draft: draft ?? null,
    forwarded: forwarded ?? null,
  };
}

/** Replies go out from the address of this message until an answer comes in elsewhere. */
function beginningOf(message: NewMessage, own: OwnAddresses): Beginning {
  const recipients = [...message.to, ...message.cc, ...message.bcc];
  const counterpart = recipients.find(({ email }) => !own.has(email)) ?? recipients[0] ?? message.from;
  return { status: 'waiting_customer', originAddress: message.from.email, counterpart, waitingSince: null };
}
