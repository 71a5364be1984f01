import * as z from 'zod';
import { nextCursor, paging, recordId, timestamp, uuid } from '@/server/platform/fields.schema';
import { draftSchema } from './draft.schema';
import { messageSchema } from './message.schema';

export const cancelMessageInput = z.object({ conversationId: uuid, messageId: uuid });

export type CancelMessageInput = z.output<typeof cancelMessageInput>;

export const cancelledMessageSchema = z.object({ draft: draftSchema });

export type CancelledMessage = z.output<typeof cancelledMessageSchema>;

export const scheduledEmailSchema = messageSchema
  .pick({
    identityId: true,
    from: true,
    to: true,
    cc: true,
    bcc: true,
    subject: true,
    preview: true,
    agentId: true,
    sentBy: true,
  })
  .extend({
    id: recordId.meta({ description: 'Of the message.' }),
    conversationId: recordId,
    attachmentCount: z.int(),
    sendAt: timestamp,
    cancelIfReply: z
      .boolean()
      .meta({ description: 'True if it is cancelled when a message is received in the conversation before.' }),
    createdAt: timestamp,
  })
  .meta({ id: 'ScheduledEmail' });

export type ScheduledEmail = z.output<typeof scheduledEmailSchema>;

export const scheduledEmailListSchema = z.object({
  emails: z.array(scheduledEmailSchema),
  total: z.int(),
  limit: z.int(),
  offset: z.int(),
  hasMore: z.boolean(),
  nextCursor,
});

export type ScheduledEmailList = z.output<typeof scheduledEmailListSchema>;

export const listScheduledInput = z.object(paging({ defaultLimit: 50, maximumLimit: 100 }));

export type ListScheduledInput = z.output<typeof listScheduledInput>;
