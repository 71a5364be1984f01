import { successSchema } from '@/server/platform/fields.schema';
import { identityProcedure } from '@/server/platform/trpc/trpc';
import { deleteAttachment, getAttachment } from './attachment.service';
import { listMessages } from './conversation.service';
import {
  attachmentIdInput,
  deleteAttachmentInput,
  listMessagesInput,
  messageFileSchema,
  messageIdInput,
  messageListSchema,
  messageSchema,
  replyInput,
  storedContentSchema,
  uploadInput,
  uploadMaximumBytes,
  uploadSchema,
} from './message.schema';
import { getMessageFile } from './message-file.service';
import { replyTo } from './reply.service';
import { unsubscribe } from './unsubscribe.service';
import { admitUpload, uploadAttachment } from './upload.service';

const tags = ['Conversations'];
const conversationPath = '/conversations/{conversationId}' as const;

/** What is done with messages and their attachments. */
export const messageProcedures = {
  messages: identityProcedure
    .meta({
      scope: 'conversations:read',
      openapi: { method: 'GET', path: `${conversationPath}/messages`, tags, summary: 'List the messages of a conversation' },
    })
    .input(listMessagesInput)
    .output(messageListSchema)
    .query(({ ctx, input }) => listMessages(ctx.actor, input)),

  reply: identityProcedure
    .meta({
      scope: 'conversations:send',
      agentField: 'agentId',
      openapi: {
        method: 'POST',
        path: `${conversationPath}/messages`,
        tags,
        summary: 'Reply',
        description:
          'Replies to the last received message: to all of its participants unless `to` or `cc` is given, from the address it was sent ' +
          'to. The reply is queued and sent as soon as the mail server accepts it.',
      },
      rest: { status: 201, errors: [409] },
      events: ['message.queued', 'conversation.updated'],
    })
    .input(replyInput)
    .output(messageSchema)
    .mutation(({ ctx, input }) => replyTo(ctx.actor, input)),

  uploadAttachment: identityProcedure
    .meta({
      scope: 'conversations:send',
      openapi: {
        method: 'POST',
        path: '/attachments',
        tags,
        summary: 'Upload an attachment',
        description:
          'A file of at most 10 MB for `attachmentIds` of an email: the field `file` of a form, or the whole body. It is kept for 24 hours ' +
          'if it is not sent.',
      },
      rest: { status: 201, upload: { maximumBytes: uploadMaximumBytes, admit: admitUpload } },
      events: [],
    })
    .input(uploadInput)
    .output(uploadSchema)
    .mutation(({ ctx, input }) => uploadAttachment(ctx.actor, ctx.file, input)),

  attachment: identityProcedure
    .meta({
      scope: 'conversations:read',
      openapi: {
        method: 'GET',
        path: '/attachments/{attachmentId}',
        tags,
        summary: 'Download an attachment',
        description: 'The file as it was received.',
      },
      rest: { download: true },
    })
    .input(attachmentIdInput)
    .output(storedContentSchema)
    .query(({ ctx, input }) => getAttachment(ctx.actor, input.attachmentId)),

  deleteAttachment: identityProcedure
    .meta({
      scope: 'conversations:write',
      openapi: {
        method: 'DELETE',
        path: `${conversationPath}/messages/{messageId}/attachments/{attachmentId}`,
        tags,
        summary: 'Delete an attachment',
        description: 'Permanent; frees its storage. The message keeps its name and size in `removedAttachments`.',
      },
      events: ['message.updated'],
    })
    .input(deleteAttachmentInput)
    .output(successSchema)
    .mutation(({ ctx, input }) => deleteAttachment(ctx.actor, input)),

  messageFile: identityProcedure
    .meta({
      scope: 'conversations:read',
      openapi: {
        method: 'GET',
        path: `${conversationPath}/messages/{messageId}/eml`,
        tags,
        summary: 'Download a message',
        description:
          'As a file that email programs open (RFC 5322), with its attachments. It is made of what is stored: without the signatures and the ' +
          'headers of servers that it came with.',
      },
      rest: { download: true },
    })
    .input(messageIdInput)
    .output(messageFileSchema)
    .query(({ ctx, input }) => getMessageFile(ctx.actor, input)),

  unsubscribe: identityProcedure
    .meta({
      scope: 'conversations:send',
      openapi: {
        method: 'POST',
        path: `${conversationPath}/messages/{messageId}/unsubscribe`,
        tags,
        summary: 'Unsubscribe from a list',
        description:
          'Ends the emails of the list that a message is of: by one click (RFC 8058), or by an email from the address that it came to. ' +
          'Repeated, it does nothing. 409 `conflict` for a message that names no such way, and if the list’s server refuses it.',
      },
      rest: { errors: [409] },
      events: ['message.updated'],
    })
    .input(messageIdInput)
    .output(messageSchema)
    .mutation(({ ctx, input }) => unsubscribe(ctx.actor, input)),
};
