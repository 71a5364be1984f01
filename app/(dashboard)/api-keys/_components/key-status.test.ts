import { expect, test } from 'vitest';
import { keyStatus, works } from './key-status';

const now = new Date('2026-11-21T12:00:00Z');

test.each([
  [{ revokedAt: null, expiresAt: null }, 'active', true],
  [{ revokedAt: null, expiresAt: '2026-12-21T12:00:00.000Z' }, 'active', true],
  [{ revokedAt: null, expiresAt: '2026-11-27T12:00:00.000Z' }, 'expiring', true],
  [{ revokedAt: null, expiresAt: '2026-11-21T12:00:00.000Z' }, 'expired', false],
  [{ revokedAt: '2026-11-20T12:00:00.000Z', expiresAt: '2026-12-21T12:00:00.000Z' }, 'revoked', false],
] as const)('%j is %s', (key, status, isWorking) => {
  expect(keyStatus(key, now)).toBe(status);
  expect(works(key, now)).toBe(isWorking);
});
