import { expect, test } from 'vitest';
import { keyScopesInput } from '@/server/features/api-keys/api-key.schema';
import { scopeResources } from '@/server/platform/auth/scopes.schema';
import { describeAccess, noAccess, presetScopes, resourceNames, scopesOf } from './key-access';

test('every preset is made of scopes, and named in the list', () => {
  for (const scopes of Object.values(presetScopes)) expect(keyScopesInput.parse(scopes)).toEqual(scopes);
  expect(describeAccess(presetScopes.full).label).toBe('Full access');
  expect(describeAccess([...presetScopes.read].reverse()).label).toBe('Read only');
  expect(describeAccess(presetScopes.form)).toEqual({ label: 'Website form', details: 'Customers: write' });
});

test('every resource has a name of its own', () => {
  expect(new Set(Object.values(resourceNames)).size).toBe(scopeResources.length);
});

test('a choice becomes the scopes that were chosen, and nothing else', () => {
  expect(scopesOf(noAccess)).toEqual([]);
  const resources = { ...noAccess.resources, customers: 'write', conversations: 'read' } as const;
  const scopes = scopesOf({ resources, sendsMail: true, readsAudit: true });
  expect(scopes).toEqual(['customers:write', 'conversations:read', 'conversations:send', 'audit:read']);
  expect(keyScopesInput.parse(scopes)).toEqual(scopes);
  expect(scopesOf({ ...noAccess, sendsMail: true })).toEqual(['conversations:send']);
});

test('other access is told by its only scope, or counted', () => {
  expect(describeAccess(['conversations:send']).label).toBe('Send mail');
  expect(describeAccess(['blog:read', 'audit:read'])).toEqual({ label: '2 permissions', details: 'Blog: read, Audit log: read' });
  expect(describeAccess(['of-a-later-version']).label).toContain('of-a-later-version');
});
