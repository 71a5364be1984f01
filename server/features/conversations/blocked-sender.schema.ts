import * as z from 'zod';
import { emailAddress, recordId, timestamp, uuid } from '@/server/platform/fields.schema';
import { blockedSendersMaximum } from './blocked-sender.limits';

export const blockedSenderSchema = z
  .object({
    id: recordId,
    identityId: recordId,
    sender: z.string().meta({ examples: ['offers@shop.example'] }),
    createdAt: timestamp,
  })
  .meta({ id: 'BlockedSender' });

export type BlockedSender = z.output<typeof blockedSenderSchema>;

export const blockedSenderListSchema = z.object({
  blockedSenders: z.array(blockedSenderSchema).max(blockedSendersMaximum),
  total: z.int(),
});

export type BlockedSenderList = z.output<typeof blockedSenderListSchema>;

const domain = z
  .string()
  .trim()
  .toLowerCase()
  .max(253)
  .regex(/^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9-]{2,63}$/);

export const blockSenderInput = z.object({
  sender: z.union([emailAddress, domain], { error: 'must be an e-mail address, or a domain such as shop.example' }).meta({
    description: 'An e-mail address, or a domain for all of its addresses.',
    examples: ['offers@shop.example'],
  }),
});

export type BlockSenderInput = z.output<typeof blockSenderInput>;

export const blockedSenderIdInput = z.object({ blockedSenderId: uuid });
