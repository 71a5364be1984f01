import * as z from 'zod';
import { requiredText, text, timestamp, uuid, webAddress } from '@/server/platform/fields.schema';
import { addressStatuses } from '../addresses/address.schema';
import { aboutMaximum, billingIntervals } from './identity.limits';

const price = z
  .number()
  .min(0)
  .meta({ description: 'Amount in the currency’s main unit.', examples: [49.5] });
const currency = z
  .string()
  .regex(/^[A-Za-z]{3}$/, { error: 'must be a currency code of three letters, such as EUR' })
  .meta({ examples: ['EUR'] });

export const serviceSchema = z.object({
  id: uuid,
  name: z.string(),
  description: z.string().optional(),
  price: z.number(),
  currency: z.string(),
  billingInterval: z.enum(billingIntervals),
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
    description: 'Mail goes to and from `proven` addresses only.',
  }),
});

export const identitySchema = z
  .object({
    id: uuid,
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
          'The address to reply from; only where `conversationId` or `messageId` was given and the conversation came in through a ' +
          'whitelisted address that is proven.',
      }),
    createdAt: timestamp,
    updatedAt: timestamp.nullable(),
  })
  .meta({ id: 'Identity' });

export type IdentityRecord = z.output<typeof identitySchema>;

export const getIdentityInput = z.object({
  messageId: uuid.optional(),
  conversationId: uuid.optional().meta({ description: 'Adds `contextualFromAddress` for this conversation.' }),
});

export type GetIdentityInput = z.output<typeof getIdentityInput>;

/** Input of a service: without `id` a new one; with the `id` of a stored one, missing fields keep their values. */
export const serviceInputSchema = z.object({
  id: uuid.optional(),
  name: requiredText(200).optional(),
  description: text(2000).nullable().optional(),
  price: price.optional(),
  currency: currency.optional(),
  billingInterval: z.enum(billingIntervals).optional(),
  active: z.boolean().optional(),
});

export type ServiceInput = z.output<typeof serviceInputSchema>;

export const profileInputSchema = z.object({
  tagline: text(300).nullable().optional(),
  about: text(aboutMaximum).nullable().optional(),
  website: webAddress.nullable().optional(),
  services: z.array(serviceInputSchema).max(200).nullable().optional(),
});

export type ProfileInput = z.output<typeof profileInputSchema>;

export const updateIdentityInput = z.object({
  displayName: text(200).nullable().optional(),
  profile: profileInputSchema.nullable().optional(),
});

export type UpdateIdentityInput = z.output<typeof updateIdentityInput>;

/** Lower-case letters, digits and inner hyphens; part of public URLs such as /blog/{handle}. */
export const handle = z
  .string()
  .min(2)
  .max(63)
  .regex(/^[a-z0-9](?:[a-z0-9-]*[a-z0-9])$/, { error: 'must be lower-case letters, digits and hyphens' });
