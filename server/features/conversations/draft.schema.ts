import * as z from 'zod';
import { nextCursor, paging, recordId, revision, text, timestamp, uuid } from '@/server/platform/fields.schema';
import { emailFormats } from '@/server/platform/mail/email-formats.schema';
import {
  attachmentIds,
  htmlMaximum,
  mailAddressSchema,
  oneLine,
  recipientsMaximum,
  subjectMaximum,
  textMaximum,
  uploadSchema,
} from './message.schema';

/** Drafts of one author at most. */
export const draftsMaximum = 200;

export const draftSchema = z
  .object({
    id: recordId,
    identityId: recordId,
    conversationId: recordId.nullable().meta({ description: 'What it replies to; null for a new email.' }),
    forwardMessageId: recordId.nullable(),
    from: z.string().nullable(),
    to: z.array(mailAddressSchema),
    cc: z.array(mailAddressSchema),
    bcc: z.array(mailAddressSchema),
    subject: z.string(),
    format: z.enum(emailFormats),
    text: z.string(),
    html: z.string().nullable(),
    agentId: recordId.nullable(),
    quote: z.boolean(),
    attachments: z.array(uploadSchema),
    revision,
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: 'Draft' });

export type Draft = z.output<typeof draftSchema>;

/** A draft in a list. */
export const listedDraftSchema = draftSchema
  .omit({ text: true, html: true, attachments: true })
  .extend({
    subject: z.string().meta({ description: 'Of a reply, that of its conversation.' }),
    preview: z.string().meta({ description: 'The beginning of the text.' }),
    attachmentCount: z.int(),
  })
  .meta({ id: 'ListedDraft' });

export type ListedDraft = z.output<typeof listedDraftSchema>;

export const draftListSchema = z.object({
  drafts: z.array(listedDraftSchema),
  total: z.int(),
  limit: z.int(),
  offset: z.int(),
  hasMore: z.boolean(),
  nextCursor,
});

export type DraftList = z.output<typeof draftListSchema>;

export const listDraftsInput = z.object(paging({ defaultLimit: 50, maximumLimit: 100 }));

export type ListDraftsInput = z.output<typeof listDraftsInput>;

/** As it is typed, so it may be no address yet. */
const typedRecipients = z
  .array(z.object({ email: text(320), displayName: text(200).nullable().default(null) }))
  .max(recipientsMaximum)
  .default([]);

const draftFields = {
  from: text(320).nullable().default(null),
  to: typedRecipients,
  cc: typedRecipients,
  bcc: typedRecipients,
  format: z.enum(emailFormats).default('plain').meta({ description: 'How the text is written.' }),
  text: text(textMaximum).default(''),
  html: text(htmlMaximum).nullable().default(null),
  agentId: uuid.nullable().default(null).meta({ description: 'The agent whose signature the email will have.' }),
  quote: z.boolean().default(false).meta({ description: 'Whether a reply will quote the original message.' }),
  attachmentIds: attachmentIds.default([]),
};

export const draftIdInput = z.object({ draftId: uuid });

export const saveDraftInput = z.object({
  draftId: uuid,
  conversationId: uuid
    .nullable()
    .default(null)
    .meta({ description: 'What it replies to. An author has one draft in each conversation.' }),
  forwardMessageId: uuid.nullable().default(null),
  ...draftFields,
  subject: oneLine(subjectMaximum).default('').meta({ description: 'Of a new email; a reply has that of its conversation.' }),
});

export type SaveDraftInput = z.output<typeof saveDraftInput>;

export const saveReplyDraftInput = z.object({ conversationId: uuid, ...draftFields });

export type SaveReplyDraftInput = z.output<typeof saveReplyDraftInput>;

/** The draft of a conversation; null if its author has none there. */
export const conversationDraftSchema = z.object({ draft: draftSchema.nullable() });

export type ConversationDraft = z.output<typeof conversationDraftSchema>;
