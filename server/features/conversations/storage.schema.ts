import * as z from 'zod';
import { recordId, timestamp } from '@/server/platform/fields.schema';

/** Largest first. */
export const largestRecordsSchema = z.object({
  /** Whom conversations are with. */
  senders: z.array(
    z.object({ email: z.string(), displayName: z.string().nullable(), conversations: z.int(), bytes: z.number() }),
  ),
  attachments: z.array(
    z.object({
      id: recordId,
      filename: z.string(),
      size: z.int(),
      conversationId: recordId,
      subject: z.string(),
      fromEmail: z.string(),
      createdAt: timestamp,
    }),
  ),
  /** Of all conversations in the trash. */
  trashBytes: z.number(),
});

export type LargestRecords = z.output<typeof largestRecordsSchema>;
