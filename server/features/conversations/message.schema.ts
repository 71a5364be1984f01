import * as z from 'zod';
import { emailAddress, instant, nextCursor, place, recordId, text, timestamp, uuid } from '@/server/platform/fields.schema';
import { emailFormats } from '@/server/platform/mail/email-formats.schema';

const messageDirections = ['inbound', 'outbound'] as const;
const messageStatuses = ['received', 'queued', 'sent', 'failed'] as const;

export const mailAddressSchema = z.object({ email: z.string(), displayName: z.string().nullable() }).meta({ id: 'MailAddress' });

export type MailAddressRecord = z.output<typeof mailAddressSchema>;

export const attachmentSchema = z
  .object({
    id: recordId,
    filename: z.string(),
    contentType: z.string(),
    size: z.int().meta({ description: 'In bytes.' }),
    contentId: z.string().nullable(),
    isInline: z.boolean().meta({ description: 'True if the HTML displays it.' }),
    sha256: z.string(),
    downloadUrl: z.string().meta({ description: 'Requires an API key.' }),
  })
  .meta({ id: 'Attachment' });

export type AttachmentRecord = z.output<typeof attachmentSchema>;

const removedAttachmentSchema = z
  .object({ filename: z.string(), size: z.int().meta({ description: 'In bytes.' }), removedAt: timestamp })
  .meta({ id: 'RemovedAttachment' });

export type RemovedAttachment = z.output<typeof removedAttachmentSchema>;

export const messageSchema = z
  .object({
    id: recordId,
    conversationId: recordId,
    identityId: recordId,
    direction: z.enum(messageDirections),
    channel: z.string(),
    status: z
      .enum(messageStatuses)
      .meta({ description: 'Inbound messages are `received`; outbound ones are `queued`, then `sent` or `failed`.' }),
    from: mailAddressSchema,
    to: z.array(mailAddressSchema),
    cc: z.array(mailAddressSchema),
    bcc: z.array(mailAddressSchema),
    subject: z.string(),
    text: z.string(),
    html: z.string().nullable().meta({ description: 'As received. Not safe to display without sanitizing.' }),
    preview: z.string(),
    messageIdHeader: z.string().meta({ examples: ['<0199f3b2-6c1e-7a40@harborlane.example>'] }),
    inReplyTo: z.string().nullable(),
    references: z.array(z.string()),
    agentId: recordId.nullable(),
    sentBy: z
      .object({ userId: recordId, name: z.string().nullable() })
      .nullable()
      .meta({ description: 'The member who sent it from the dashboard.' }),
    isRead: z.boolean(),
    isAutoReply: z
      .boolean()
      .meta({ description: 'True for automatic and bulk email (RFC 3834), which is never answered automatically.' }),
    unsubscribe: z
      .object({
        method: z.enum(['one_click', 'email', 'page']),
        target: z.string().meta({ description: 'An address of the web, or a `mailto:` URI.' }),
        unsubscribedAt: timestamp.nullable(),
      })
      .nullable()
      .meta({
        description:
          'How to end the emails of a list (RFC 2369, RFC 8058): by `…/unsubscribe` of the message, or by hand on a `page`. null for others.',
      }),
    attachmentCount: z.int(),
    attachments: z.array(attachmentSchema).meta({ description: 'Empty unless `includeAttachments=true`.' }),
    removedAttachments: z.array(removedAttachmentSchema).meta({ description: 'Deleted attachments, latest first.' }),
    sendAt: timestamp
      .nullable()
      .meta({ description: 'When a queued email is sent, if it is scheduled or can be cancelled until then; null for others.' }),
    sentAt: timestamp.nullable(),
    receivedAt: timestamp.nullable(),
    createdAt: timestamp,
  })
  .meta({ id: 'Message' });

export type MessageRecord = z.output<typeof messageSchema>;

export const listMessagesInput = z.object({
  conversationId: uuid,
  direction: z.enum(messageDirections).optional(),
  order: z.enum(['asc', 'desc']).default('asc').meta({ description: 'By time, oldest first unless `desc`.' }),
  limit: z.int().min(1).max(200).default(100).meta({ description: 'Page size, 1 to 200.' }),
  ...place,
  includeAttachments: z.boolean().default(false),
});

export type ListMessagesInput = z.output<typeof listMessagesInput>;

export const messageListSchema = z.object({
  messages: z.array(messageSchema),
  total: z.int(),
  limit: z.int(),
  offset: z.int(),
  hasMore: z.boolean().meta({
    description:
      'True if there are more. A page of very long messages can be shorter than `limit`; continue at `nextCursor`, or at `offset` plus the number received.',
  }),
  nextCursor,
});

export type MessageList = z.output<typeof messageListSchema>;

/** Maximum recipients of an email in each of To, Cc and Bcc. */
export const recipientsMaximum = 100;

/** Maximum length of an email's text and HTML, in characters. */
export const textMaximum = 200_000;
export const htmlMaximum = 500_000;

/** Maximum length of a subject, in characters. */
export const subjectMaximum = 500;

/** Maximum size of an uploaded file, and of all attachments of an email, in bytes (contract section 15). */
export const uploadMaximumBytes = 10 * 1024 * 1024;
export const attachmentsMaximumBytes = 25 * 1024 * 1024;

const recipientInput = z
  .union([emailAddress, z.object({ email: emailAddress, displayName: text(200).nullable().optional() })], {
    error: 'must be an e-mail address, or an object with email and displayName',
  })
  .meta({
    description: 'An email address, or one with a name.',
    examples: ['ann@quark.example'],
  });

const recipientsInput = z.array(recipientInput).max(recipientsMaximum);

const messageText = text(textMaximum).meta({ description: 'The message, in plain text or Markdown as `format` says.' });

const hasWords = (value: string) => value.trim() !== '';
const wordless = { error: 'must not be empty' };

export const oneLine = (maximum: number) => text(maximum).regex(/^[^\r\n]*$/, { error: 'must be one line' });

export const attachmentIds = z.array(uuid).max(50).meta({
  description:
    'Files of `POST /attachments`, at most 25 MB together. Attachments of other messages can be sent again, with the scope `conversations:read`.',
});

/** Maximum of `holdSeconds`. */
const holdMaximumSeconds = 30;

/** What all outgoing emails have. */
const outgoingFields = {
  format: z
    .enum(emailFormats)
    .optional()
    .meta({
      description:
        'How `text` is written; `plain` by default. `markdown` is sent as HTML and as plain text: GitHub’s Markdown, in which a line break is one. ' +
        'Pictures are attachments, written as `![Map](attachment:<id>)` and named in `attachmentIds`.',
    }),
  html: text(htmlMaximum).nullable().optional().meta({ description: 'The same as HTML; generated from the text by default.' }),
  cc: recipientsInput.optional(),
  bcc: recipientsInput.optional().meta({ description: 'Recipients that the others do not see.' }),
  agentId: uuid.nullable().optional().meta({ description: 'Signs the message with this agent’s signature.' }),
  attachmentIds: attachmentIds.optional(),
  draftId: uuid.optional().meta({
    description:
      'The draft that is sent; it is deleted with that. If it was sent or deleted already, the status is 409 `conflict`.',
  }),
  sendAt: instant.optional().meta({
    description: 'Sends it then: in the future, at most a year ahead. It can be cancelled before, and counts for that day.',
    examples: ['2026-11-23T08:00:00Z'],
  }),
  cancelIfReply: z.boolean().optional().meta({
    description:
      'With `sendAt`, true by default: it is cancelled if a message is received in the conversation before. Automatic replies don’t count.',
  }),
  holdSeconds: z.int().min(0).max(holdMaximumSeconds).optional().meta({
    description: 'Without `sendAt`: seconds in which it can be cancelled before it is sent; 0 by default.',
  }),
};

const newConversationFields = z.object({
  ...outgoingFields,
  text: messageText,
  to: recipientsInput.min(1),
  subject: oneLine(subjectMaximum).meta({ examples: ['Your order'] }),
  from: emailAddress.optional().meta({
    description: 'One of the identity’s own addresses; by default that of the agent with `agentId`, else the identity’s.',
  }),
  forwardMessageId: uuid.optional().meta({
    description:
      'A message to forward, with the scope `conversations:read`: it follows the text, which may then be empty, and its attachments are sent ' +
      'along unless `attachmentIds` is given.',
  }),
});

export const newConversationInput = newConversationFields.refine(
  ({ text, forwardMessageId }) => forwardMessageId !== undefined || hasWords(text),
  { ...wordless, path: ['text'] },
);

export type NewConversationInput = z.output<typeof newConversationInput>;

export const replyInput = z.object({
  ...outgoingFields,
  text: messageText.refine(hasWords, wordless),
  conversationId: uuid,
  to: recipientsInput
    .optional()
    .meta({ description: 'Without `to` and `cc`, the reply goes to all participants of the last received message.' }),
  from: emailAddress
    .optional()
    .meta({ description: 'One of the identity’s own addresses; by default the one the message was sent to.' }),
  seenUntil: instant.optional().meta({
    description: 'Messages received later stay unread. If someone else has replied since, the status is 409 `conflict`.',
  }),
  evenIfAnswered: z.boolean().optional().meta({ description: 'Sends it even if someone else has replied since `seenUntil`.' }),
  quote: z.boolean().default(false).meta({ description: 'Quotes the original message below the reply.' }),
});

export type ReplyInput = z.input<typeof replyInput>;
export type ParsedReplyInput = z.output<typeof replyInput>;

export const uploadInput = z.object({
  filename: text(255)
    .optional()
    .meta({ description: 'Of a file that is the whole body; in a form, it has one.', examples: ['offer.pdf'] }),
});

export type UploadInput = z.output<typeof uploadInput>;

export const uploadSchema = attachmentSchema
  .pick({ id: true, filename: true, contentType: true, size: true, sha256: true })
  .meta({ id: 'Upload' });

export type Upload = z.output<typeof uploadSchema>;

export const attachmentIdInput = z.object({ attachmentId: uuid });

export const deleteAttachmentInput = attachmentIdInput.extend({ conversationId: uuid, messageId: uuid });

export const messageIdInput = z.object({ conversationId: uuid, messageId: uuid });

export type MessageIdInput = z.output<typeof messageIdInput>;

export type DeleteAttachmentInput = z.output<typeof deleteAttachmentInput>;

/** Metadata of a file; its bytes follow in the response body. */
export const storedContentSchema = z.object({
  filename: z.string(),
  contentType: z.string(),
  size: z.int(),
  sha256: z.string(),
});

export type StoredContent = z.output<typeof storedContentSchema>;

/** An email made as a file, which `open` begins to read. */
export const messageFileSchema = storedContentSchema.omit({ size: true, sha256: true }).extend({
  version: z.string(),
  open: z.any(),
});
