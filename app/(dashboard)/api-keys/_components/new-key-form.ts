import * as z from 'zod';
import { dateOf } from '@/app/_kit/viewer-format';
import { createApiKeyInput } from '@/server/features/api-keys/api-key.schema';
import { type Expiry, expiryOptions } from './expiry';
import { type CustomAccess, presets, scopesOf } from './key-access';

/** The form of a new key. */
export const newKeySchema = z
  .object({
    name: createApiKeyInput.shape.name,
    expiry: z.enum(expiryOptions.map((option) => option.value) as [Expiry, ...Expiry[]]),
    day: z.string(),
    preset: z.enum(presets),
    /** Empty for none. */
    agentId: z.string(),
    access: z.custom<CustomAccess>(),
  })
  .refine((values) => values.expiry !== 'custom' || values.day >= dateOf(new Date()), {
    path: ['day'],
    error: 'must be today or later',
  })
  .refine(({ preset, agentId }) => preset !== 'agent' || agentId !== '', { path: ['agentId'], error: 'Choose an agent.' })
  .refine(({ preset, access }) => preset !== 'custom' || scopesOf(access).length > 0, {
    path: ['access'],
    error: 'Choose at least one permission.',
  });

export type NewKeyValues = z.output<typeof newKeySchema>;
