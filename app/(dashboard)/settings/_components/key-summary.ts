import type { ApiKeyRecord } from '@/server/features/api-keys/api-key.schema';
import { keyStatus, works } from '../../api-keys/_components/key-status';

interface KeySummary {
  working: number;
  /** Of any key, including one that no longer works. */
  lastUsed: { at: string; name: string } | null;
  /** Keys that expire within a week, the soonest first. */
  expiring: { id: string; name: string; expiresAt: string }[];
}

/** A summary of all keys of a business. */
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
