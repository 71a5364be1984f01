import { expect, test } from 'vitest';
import { securityEventKinds } from '@/server/features/audit/security.schema';
import { originInWords, reasonInWords, securityKindLabels, subjectInWords } from './security-labels';

test('every kind has words, and none the same as another', () => {
  expect(Object.keys(securityKindLabels).sort()).toEqual([...securityEventKinds].sort());
  expect(new Set(Object.values(securityKindLabels)).size).toBe(securityEventKinds.length);
});

test('a reason without words of its own reads well all the same', () => {
  expect(reasonInWords('revoked_key')).toBe('Key is revoked');
  expect(reasonInWords('insufficient_scope')).toBe('Insufficient scope');
});

test('the subject is the key, the operation or the account', () => {
  expect(subjectInWords({ kind: 'key_refused', account: null, subject: 'sk_live_Ab12' })).toBe('sk_live_Ab12…');
  expect(subjectInWords({ kind: 'scope_refused', account: null, subject: 'GET /identity' })).toBe('GET /identity');
  expect(subjectInWords({ kind: 'sign_in_failed', account: 'ann@quark.example', subject: null })).toBe('ann@quark.example');
  expect(subjectInWords({ kind: 'inbound_refused', account: null, subject: null })).toBe('');
});

test('several addresses are named as such', () => {
  expect(originInWords('various')).toBe('Various addresses');
  expect(originInWords('203.0.113.7')).toBe('203.0.113.7');
});
