import * as z from 'zod';
import { requiredText, timestamp, uuid } from '@/server/platform/fields.schema';

export const apiKeySchema = z.object({
  id: uuid,
  name: z.string(),
  prefix: z.string(),
  last4: z.string(),
  createdAt: timestamp,
  expiresAt: timestamp.nullable(),
  lastUsedAt: timestamp.nullable(),
  revokedAt: timestamp.nullable(),
});

export type ApiKeyRecord = z.output<typeof apiKeySchema>;

/** The only response that contains the key itself. */
export const issuedApiKeySchema = z.object({ key: z.string(), apiKey: apiKeySchema });

export type IssuedApiKey = z.output<typeof issuedApiKeySchema>;

export const createApiKeyInput = z.object({
  name: requiredText(100),
  expiresAt: z.iso.datetime({ offset: true }).nullable().default(null),
});

export type CreateApiKeyInput = z.output<typeof createApiKeyInput>;

export const apiKeyIdInput = z.object({ id: uuid });

export const rotateApiKeyInput = z.object({
  id: uuid,
  /** How long the old key continues to work, in hours (contract section 3). */
  overlapHours: z.int().min(0).max(168).default(24),
});

export type RotateApiKeyInput = z.output<typeof rotateApiKeyInput>;
