import { expect, test } from 'vitest';
import { isAllowed, whoCan } from './permission';

test.each([
  ['customers:write', 'Only owners, admins and members can do this.'],
  ['keys:write', 'Only owners and admins can do this.'],
  ['*', 'Only owners can do this.'],
] as const)('%s: %s', (needs, sentence) => {
  expect(whoCan(needs)).toBe(sentence);
});

test('says what it is about', () => {
  expect(whoCan('webhooks:read', 'open this page')).toBe('Only owners and admins can open this page.');
});

test('members write drafts and publish nothing', () => {
  expect(isAllowed('member', 'blog:draft')).toBe(true);
  expect(isAllowed('member', 'blog:write')).toBe(false);
  expect(isAllowed('viewer', 'blog:draft')).toBe(false);
  expect(isAllowed('viewer', 'blog:read')).toBe(true);
});
