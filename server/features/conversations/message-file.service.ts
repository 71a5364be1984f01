import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { IdentityActor } from '@/server/platform/actor';
import { pool } from '@/server/platform/db/pool';
import { notFound } from '@/server/platform/errors';
import { openStored } from '@/server/platform/files/content-store';
import { type EmailFile, messageFile } from '@/server/platform/mail/message-file';
import { cutText } from '@/server/platform/text';
import { findConversation } from './conversation.queries';
import { findMessage } from './message.queries';
import type { AttachmentRecord, MessageIdInput, MessageRecord } from './message.schema';

interface MessageFile {
  filename: string;
  contentType: string;
  /** Changes with the file. */
  version: string;
  open(): Readable;
}

/**
 * `GET /conversations/{conversationId}/messages/{messageId}/eml`: a message as a file. It is made of what is stored, so its bytes are not
 * those that were received.
 *
 * @throws AppError not_found for an unknown or foreign id
 */
export async function getMessageFile(actor: IdentityActor, { conversationId, messageId }: MessageIdInput): Promise<MessageFile> {
  const { id } = await findConversation(pool(), actor.identityId, conversationId);
  const message = await findMessage(pool(), actor.identityId, messageId);
  if (message?.conversationId !== id) throw notFound();
  return fileOf(message);
}

/** The same, by the message alone. @throws AppError not_found for an unknown or foreign id */
export async function getMessageFileById({ identityId }: IdentityActor, messageId: string): Promise<MessageFile> {
  const message = await findMessage(pool(), identityId, messageId);
  if (!message) throw notFound();
  return fileOf(message);
}

/** In UTF-16 code units; file systems take 255 bytes. */
const longestName = 60;

function fileOf(message: MessageRecord): MessageFile {
  const { id, subject, removedAttachments, sentAt } = message;
  const name = cutText(subject.replaceAll(/[\s\p{Cc}/\\:*?"<>|]+/gu, ' ').trim(), longestName) || 'message';
  return {
    filename: `${name}.eml`,
    contentType: 'message/rfc822',
    version: createHash('sha256')
      .update(JSON.stringify([id, removedAttachments, sentAt]))
      .digest('hex'),
    open: () => messageFile(emailOf(message)),
  };
}

function emailOf(message: MessageRecord): EmailFile {
  const { from, to, cc, bcc, subject, text, html, inReplyTo, references, messageIdHeader: messageId } = message;
  const date = new Date(message.sentAt ?? message.receivedAt ?? message.createdAt);
  const attachments = message.attachments.map(({ filename, contentType, contentId, isInline, sha256 }) => ({
    filename,
    contentType,
    ...(isInline && contentId !== null && { contentId }),
    content: Readable.from(bytesOf(sha256), { objectMode: false }),
  }));
  return { messageId, from, to, cc, bcc, subject, text, html, inReplyTo, references, date, attachments };
}

/** Opens a file only when it is read: there may be many. @throws Error if it is no longer stored */
async function* bytesOf(sha256: AttachmentRecord['sha256']): AsyncGenerator<Buffer> {
  const stored = await openStored(sha256);
  if (!stored) throw new Error('An attachment is no longer stored.');
  yield* stored.stream;
}
