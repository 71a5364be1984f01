import type { ApiKeyRecord } from '@/server/features/api-keys/api-key.schema';
import { keyStatus, works } from '../../api-keys/_components/key-status';

interface KeySummary {
  working: number;
  /** Of whichever key, also of one that works no longer. */
  lastUsed: { at: string; name: string } | null;
  /** Those that stop within a week, the soonest first. */
  expiring: { id: string; name: string; expiresAt: string }[];
}

/** All keys of a business in a few words. */
export function keySummary(keys: readonly ApiKeyRecord[], now: Date): KeySummary {
  const used = keys.flatMap(({ lastUsedAt, name }) => (lastUsedAt === null ? [] : [{ at: lastUsedAt, name }]));
  const expiring = keys
    .filter((key) => keyStatus(key, now) === 'expiring')
    .flatMap(({ id, name, expiresAt }) => (expiresAt === null ? [] : [{ id, name, expiresAt }]));
  return {
    working: keys.filter((key) => works(key, now)).length,
    lastUsed: used.sort((a, b) => b.at.localeCompare(a.at))[0] ?? null,
    expiring: expiring.sort((a, b) => a.expiresAt.localeCompare(b.expiresAt)),
  };
}
