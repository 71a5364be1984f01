import { expect, test } from 'vitest';
import { isAccountPage, pagePermission } from './page-permission';

test.each([
  ['/api-keys', 'keys:write'],
  ['/audit/security', 'audit:read'],
  ['/settings/webhooks/0199f3b2', 'webhooks:read'],
  ['/customers/new', 'customers:write'],
  ['/posts/new', 'blog:draft'],
  ['/customers', undefined],
  ['/customers/0199f3b2', undefined],
  ['/settings/team', undefined],
  ['/api-keys-of-others', undefined],
])('%s needs %s', (path, needs) => {
  expect(pagePermission(path)).toBe(needs);
});

test('pages about the account stay usable without the second factor', () => {
  const all = ['/settings', '/settings/profile', '/settings/sign-in', '/settings/team', '/settings/mail', '/', '/customers'];
  expect(all.filter(isAccountPage)).toEqual(['/settings', '/settings/profile', '/settings/sign-in']);
});
