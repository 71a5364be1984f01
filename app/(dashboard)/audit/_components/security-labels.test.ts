import { expect, test } from 'vitest';
import { securityEventKinds } from '@/server/features/audit/security.schema';
import { originText, reasonText, securityKindLabels, subjectText } from './security-labels';

test('every kind has words, and none the same as another', () => {
  expect(Object.keys(securityKindLabels).sort()).toEqual([...securityEventKinds].sort());
  expect(new Set(Object.values(securityKindLabels)).size).toBe(securityEventKinds.length);
});

test('a reason without words of its own reads well all the same', () => {
  expect(reasonText('revoked_key')).toBe('Key is revoked');
  expect(reasonText('insufficient_scope')).toBe('Insufficient scope');
});

test('the subject is the key, the operation or the account', () => {
  expect(subjectText({ kind: 'key_refused', account: null, subject: 'sk_live_Ab12' })).toBe('sk_live_Ab12…');
  expect(subjectText({ kind: 'scope_refused', account: null, subject: 'GET /identity' })).toBe('GET /identity');
  expect(subjectText({ kind: 'sign_in_failed', account: 'ann@quark.example', subject: null })).toBe('ann@quark.example');
  expect(subjectText({ kind: 'inbound_refused', account: null, subject: null })).toBe('');
});

test('several addresses are named as such', () => {
  expect(originText('various')).toBe('Multiple addresses');
  expect(originText('203.0.113.7')).toBe('203.0.113.7');
});
