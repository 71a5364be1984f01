import type { ApiKeyRecord } from '@/server/features/api-keys/api-key.schema';

export type KeyStatus = 'active' | 'expiring' | 'expired' | 'revoked';

const weekMilliseconds = 7 * 24 * 3_600_000;

/** The status of a key at `now`. `expiring` means within a week, in time to create a successor. */
export function keyStatus(key: Pick<ApiKeyRecord, 'revokedAt' | 'expiresAt'>, now: Date): KeyStatus {
  if (key.revokedAt !== null) return 'revoked';
  if (key.expiresAt === null) return 'active';
  const left = Date.parse(key.expiresAt) - now.getTime();
  if (left <= 0) return 'expired';
  return left < weekMilliseconds ? 'expiring' : 'active';
}

/** True while the key authenticates API requests. */
export function works(key: Pick<ApiKeyRecord, 'revokedAt' | 'expiresAt'>, now: Date): boolean {
  return !['expired', 'revoked'].includes(keyStatus(key, now));
}
