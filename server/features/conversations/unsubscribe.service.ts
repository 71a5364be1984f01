import type { IdentityActor } from '@/server/platform/actor';
import { pool } from '@/server/platform/db/pool';
import { rows } from '@/server/platform/db/sql';
import { transaction } from '@/server/platform/db/transaction';
import { AppError, notFound } from '@/server/platform/errors';
import { guardedPost } from '@/server/platform/fetch/guarded-post';
import { OutboundFailed, OutboundRefused } from '@/server/platform/fetch/outbound-error';
import { leavingEmail } from '@/server/platform/mail/list-unsubscribe';
import { newMessageId } from '@/server/platform/mail/mail-headers';
import { cleanLine, cleanText, cutText } from '@/server/platform/text';
import { enqueueMails, type NewOutboxMail } from '../outbox/outbox.service';
import { ownAddresses, sendersOf } from '../own-addresses/own-address.service';
import { findConversation, lockConversation } from './conversation.queries';
import { conversationChanges } from './conversation-changes.service';
import { findMessage } from './message.queries';
import type { MessageIdInput, MessageRecord } from './message.schema';

/**
 * `POST /conversations/{conversationId}/messages/{messageId}/unsubscribe`: ends the emails of a list. Repeated, it does nothing.
 *
 * @throws AppError not_found; conflict for a message that names no way out, or only a page, and if the list's server refuses it
 */
export async function unsubscribe(actor: IdentityActor, { conversationId, messageId }: MessageIdInput): Promise<MessageRecord> {
  const { identityId } = actor;
  const conversation = await findConversation(pool(), identityId, conversationId);
  const message = await findMessage(pool(), identityId, messageId);
  if (message?.conversationId !== conversation.id) throw notFound();
  const { unsubscribe: way } = message;
  if (!way) throw new AppError('conflict', 'This message does not say how to unsubscribe.');
  if (way.unsubscribedAt !== null) return message;
  if (way.method === 'page') throw new AppError('conflict', `This list is left on a page of its own: ${way.target}`);
  // While no row is locked: the list's server may take its time. Asked twice, it does no more than once.
  if (way.method === 'one_click') await post(way.target);
  return transaction(actor, async (client) => {
    const { id, originAddress } = await lockConversation(client, identityId, conversation.id);
    const [done] = await rows<{ id: string }>(client, {
      name: 'message-unsubscribe',
      text: `UPDATE messages SET unsubscribed_at = now()
        WHERE identity_id = $1 AND id = $2 AND conversation_id = $3 AND unsubscribed_at IS NULL RETURNING id`,
      values: [identityId, messageId, id],
    });
    const after = await findMessage(client, identityId, messageId);
    if (!after) throw notFound();
    if (!done) return after;
    if (way.method === 'email') {
      const own = await ownAddresses(client, identityId);
      const [sender] = sendersOf(own, originAddress);
      if (!sender) throw new AppError('conflict', 'The business has no address to send from.');
      await enqueueMails(client, [newLeavingEmail(way.target, identityId, sender)]);
    }
    const changes = conversationChanges(client, identityId);
    changes.message('message.updated', { ...after, attachments: [] }, { ...message, attachments: [] });
    await changes.write(actor);
    return after;
  });
}

/** RFC 8058 3.1. @throws AppError conflict with the reason */
async function post(target: string): Promise<void> {
  try {
    const { status } = await guardedPost(target, {
      body: 'List-Unsubscribe=One-Click',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      maximumBytes: 0,
      timeoutMilliseconds: 10_000,
    });
    if (status >= 400) throw new AppError('conflict', `The list’s server did not accept it: it answered with status ${status}.`);
  } catch (error) {
    if (error instanceof OutboundFailed || error instanceof OutboundRefused) throw new AppError('conflict', error.message);
    throw error;
  }
}

/** The email that leaves a list, as its `mailto:` URI asks for it. Further recipients and headers are not taken from that. */
function newLeavingEmail(
  target: string,
  identityId: string,
  { email, displayName }: { email: string; displayName: string | null },
): NewOutboxMail {
  const asked = leavingEmail(new URL(target));
  if (!asked) throw new Error('A stored way by email names a recipient.');
  return {
    identityId,
    messageId: null,
    kind: 'unsubscribe',
    messageIdHeader: newMessageId(email),
    subject: cutText(cleanLine(asked.subject), 300) || 'Unsubscribe',
    mail: {
      from: { email, displayName },
      to: [{ email: asked.recipient, displayName: null }],
      cc: [],
      bcc: [],
      text: cutText(cleanText(asked.text), 1_000) || 'Unsubscribe',
      html: '',
      inReplyTo: null,
      references: [],
    },
  };
}
