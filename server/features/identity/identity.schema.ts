import * as z from 'zod';
import { requiredText, text, uuid, webAddress } from '@/server/platform/fields.schema';
import { aboutMaximum, billingIntervals } from './identity.limits';

const price = z
  .number()
  .min(0)
  .meta({ description: 'Amount in the currency’s main unit.', examples: [49.5] });
const currency = z
  .string()
  .regex(/^[A-Za-z]{3}$/, { error: 'must be a currency code of three letters, such as EUR' })
  .meta({ examples: ['EUR'] });

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
