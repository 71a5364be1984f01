import { expect, test } from 'vitest';
import { handle } from '@/server/features/identity/identity.schema';
import { suggestHandle } from './suggest-handle';

test.each([
  ['Harbor Studio', 'harbor-studio'],
  ['Café Ömür & Sons', 'cafe-omur-sons'],
  ["Bob's Bikes", 'bobs-bikes'],
  ['  --Großmann-- ', 'grossmann'],
  ['日本', ''],
  ['X', ''],
])('%s → %j', (name, expected) => {
  expect(suggestHandle(name)).toBe(expected);
});

test('is always a valid handle', () => {
  const suggested = suggestHandle(`${'a'.repeat(62)} and more`);
  expect(handle.safeParse(suggested).success).toBe(true);
});
