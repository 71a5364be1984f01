import * as z from 'zod';
import { recordId, uuid } from '@/server/platform/fields.schema';
import { emailFormats } from '@/server/platform/mail/email-formats.schema';
import { draftSchema } from './draft.schema';
import { mailAddressSchema, uploadSchema } from './message.schema';

/** What the dashboard needs to write an email. */

/** What the composer of any email offers. */
export const composerChoicesSchema = z.object({
  /** The possible senders; the first is preselected. */
  senders: z.array(
    z.object({
      email: z.string(),
      displayName: z.string().nullable(),
      /**
       * Why it is offered: the customer wrote to it, or it is the identity's own, a further address, a mailbox's, an agent's, or the
       * operator's (MAIL_FROM).
       */
      reason: z.enum(['contextual', 'identity', 'whitelisted', 'mailbox', 'agent', 'fallback']),
      /** False for one from which emails wait until SMTP_URL is set. */
      canSend: z.boolean(),
    }),
  ),
  /** Agents whose signature can be used. */
  agents: z.array(
    z.object({ id: recordId, name: z.string(), avatarEmoji: z.string(), avatarUrl: z.string(), signature: z.string() }),
  ),
  /** `holdSeconds` of what the member sends. */
  undoSeconds: z.int(),
  /** How the member writes new emails. */
  emailFormat: z.enum(emailFormats),
  /** Of the member, for emails that no agent signs. */
  signature: z.string(),
});

export type ComposerChoices = z.output<typeof composerChoicesSchema>;

export const newEmailDraftInput = z.object({
  draftId: uuid.optional(),
  /** Of an email that is not begun. */
  forwardMessageId: uuid.optional(),
});

export type NewEmailDraftInput = z.output<typeof newEmailDraftInput>;

/** Initial data of a new email. */
export const newEmailDraftSchema = composerChoicesSchema.extend({
  /** What was begun; null if nothing was, or it was sent or deleted. */
  draft: draftSchema.nullable(),
  /** The message that is forwarded, if any. */
  forwarded: z
    .object({
      subject: z.string(),
      /** What will follow the text of the email. */
      quotation: z.string(),
      attachments: z.array(uploadSchema.omit({ sha256: true })),
    })
    .nullable(),
});

export type NewEmailDraft = z.output<typeof newEmailDraftSchema>;

/** Initial data of a reply. */
export const replyDraftSchema = composerChoicesSchema.extend({
  subject: z.string(),
  to: z.array(mailAddressSchema),
  cc: z.array(mailAddressSchema),
  /** The agent the customer wrote to, if any. */
  agentId: recordId.nullable(),
  /** What was begun, if anything. */
  draft: draftSchema.nullable(),
});

export type ReplyDraft = z.output<typeof replyDraftSchema>;
