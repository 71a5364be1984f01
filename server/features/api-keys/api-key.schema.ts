import * as z from 'zod';
import { type KeyScope, keyScopes } from '@/server/platform/auth/scopes.schema';
import { recordId, requiredText, timestamp, uuid } from '@/server/platform/fields.schema';

export const apiKeySchema = z.object({
  id: recordId,
  name: z.string(),
  prefix: z.string(),
  last4: z.string(),
  createdAt: timestamp,
  expiresAt: timestamp.nullable(),
  lastUsedAt: timestamp.nullable(),
  revokedAt: timestamp.nullable(),
  /** What it may do; `*` is everything. */
  scopes: z.array(z.string()),
  /** The agent that it acts for. */
  agentId: recordId.nullable(),
  /** That agent as it is now; null without one, or if it no longer exists. */
  agent: z.object({ name: z.string(), status: z.enum(['active', 'paused', 'archived']) }).nullable(),
});

export type ApiKeyRecord = z.output<typeof apiKeySchema>;

/** The only response that contains the key itself. */
export const issuedApiKeySchema = z.object({ key: z.string(), apiKey: apiKeySchema });

export type IssuedApiKey = z.output<typeof issuedApiKeySchema>;

/** Each once and in order; full access alone, as it includes the others. */
function normalized(scopes: readonly KeyScope[]): KeyScope[] {
  return scopes.includes('*') ? ['*'] : keyScopes.filter((scope) => scopes.includes(scope));
}

/** The scopes of a new key. */
export const keyScopesInput = z
  .array(z.enum(keyScopes, { error: ({ input }) => `is not a scope: ${JSON.stringify(input)?.slice(0, 60)}` }))
  .min(1, { error: 'must name at least one scope' })
  .max(100)
  .transform(normalized);

export const createApiKeyInput = z.object({
  name: requiredText(100),
  expiresAt: z.iso.datetime({ offset: true }).nullable().default(null),
  /** Everything by default. */
  scopes: keyScopesInput.optional(),
  agentId: uuid.nullable().optional(),
});

export type CreateApiKeyInput = z.output<typeof createApiKeyInput>;

export const apiKeyIdInput = z.object({ id: uuid });

export const rotateApiKeyInput = z.object({
  id: uuid,
  /** How long the old key continues to work, in hours (contract section 3). */
  overlapHours: z.int().min(0).max(168).default(24),
});

export type RotateApiKeyInput = z.output<typeof rotateApiKeyInput>;
