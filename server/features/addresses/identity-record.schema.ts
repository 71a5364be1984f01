import * as z from 'zod';
import { recordId, revision, timestamp } from '@/server/platform/fields.schema';
import { addressStatuses } from './address.schema';

/** What `GET /identity` answers; here, since changes of addresses change it. */

export const serviceSchema = z.object({
  id: recordId,
  name: z.string(),
  description: z.string().optional(),
  price: z.number(),
  currency: z.string(),
  billingInterval: z.enum(['one-time', 'monthly', 'yearly']),
  active: z.boolean(),
});

export type Service = z.output<typeof serviceSchema>;

export const profileSchema = z.object({
  tagline: z.string().optional(),
  about: z.string().optional(),
  website: z.string().optional(),
  services: z.array(serviceSchema).optional(),
});

export type Profile = z.output<typeof profileSchema>;

const whitelistedAddressSchema = z.object({
  handle: z.string(),
  address: z.string(),
  description: z.string().nullable(),
  status: z.enum(addressStatuses).meta({
    description: 'Only `proven` addresses can send and receive email.',
  }),
});

export const identitySchema = z
  .object({
    id: recordId,
    handle: z.string(),
    address: z.string().nullable(),
    scope: z.enum(['identity', 'business']),
    displayName: z.string().nullable(),
    profile: profileSchema.nullable(),
    whitelistedAddresses: z.array(whitelistedAddressSchema).nullable(),
    contextualFromAddress: z
      .string()
      .nullable()
      .optional()
      .meta({
        description:
          'The address to reply from. Only with `conversationId` or `messageId`, if the conversation was received at a whitelisted ' +
          'address that is proven.',
      }),
    revision,
    createdAt: timestamp,
    updatedAt: timestamp.nullable(),
  })
  .meta({ id: 'Identity' });

export type IdentityRecord = z.output<typeof identitySchema>;
