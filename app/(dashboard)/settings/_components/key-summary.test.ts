import { expect, it } from 'vitest';
import type { ApiKeyRecord } from '@/server/features/api-keys/api-key.schema';
import { keySummary } from './key-summary';

const now = new Date('2026-11-21T12:00:00Z');
const key = (name: string, changes: Partial<ApiKeyRecord> = {}): ApiKeyRecord => ({
  id: name,
  name,
  prefix: 'sk_live_abcd',
  last4: 'wxyz',
  createdAt: '2026-11-01T12:00:00.000Z',
  expiresAt: null,
  lastUsedAt: null,
  revokedAt: null,
  scopes: ['*'],
  agentId: null,
  agent: null,
  ...changes,
});

it('is empty without keys', () => {
  expect(keySummary([], now)).toEqual({ working: 0, lastUsed: null, expiring: [] });
});

it('counts what works, and tells what was used last and what stops soonest', () => {
  const keys = [
    key('shop', { lastUsedAt: '2026-11-20T12:00:00.000Z' }),
    key('script', { expiresAt: '2026-11-25T12:00:00.000Z' }),
    key('soon', { expiresAt: '2026-11-22T12:00:00.000Z' }),
    key('later', { expiresAt: '2027-01-22T12:00:00.000Z' }),
    key('over', { expiresAt: '2026-11-20T12:00:00.000Z' }),
    key('revoked', { revokedAt: '2026-11-21T11:00:00.000Z', lastUsedAt: '2026-11-21T10:00:00.000Z' }),
  ];
  expect(keySummary(keys, now)).toEqual({
    working: 4,
    lastUsed: { at: '2026-11-21T10:00:00.000Z', name: 'revoked' },
    expiring: [
      { id: 'soon', name: 'soon', expiresAt: '2026-11-22T12:00:00.000Z' },
      { id: 'script', name: 'script', expiresAt: '2026-11-25T12:00:00.000Z' },
    ],
  });
});
