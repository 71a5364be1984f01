import { expect, test } from 'vitest';
import { newRecoveryCodes, recoveryCodeHash } from './recovery-codes';

test('ten codes are made, no two alike, without letters that look like digits', () => {
  const codes = Array.from({ length: 50 }, newRecoveryCodes).flat();
  expect(new Set(codes).size).toBe(500);
  for (const code of codes) expect(code).toMatch(/^([0-9a-hjkmnp-tv-z]{4}-){5}[0-9a-hjkmnp-tv-z]{4}$/);
});

test('a code is known however it is typed, and only for its account', () => {
  const stored = recoveryCodeHash('ann', '0g1k-m2x9-abcd-efgh-jkmn-pqrs');
  expect(stored).toHaveLength(32);
  for (const typed of [
    '0G1K M2X9 ABCD EFGH JKMN PQRS',
    ' 0g1km2x9abcdefghjkmnpqrs ',
    'Og1k-m2x9-abcd-efgh-jkmn-pqrs',
    '0gIk-m2x9-abcd-efgh-jkmn-pqrs',
    '0glkm2x9abcdefghjkmnpqrs',
  ]) {
    expect(recoveryCodeHash('ann', typed)).toEqual(stored);
  }
  expect(recoveryCodeHash('bob', '0g1k-m2x9-abcd-efgh-jkmn-pqrs')).not.toEqual(stored);
  expect(recoveryCodeHash('ann', '0g1k-m2x9-abcd-efgh-jkmn-pqrt')).not.toEqual(stored);
});

test('the shorter codes of 0.3.0 go on working', () => {
  expect(recoveryCodeHash('ann', 'OG1K m2x9-abcd efgh')).toEqual(recoveryCodeHash('ann', '0g1k-m2x9-abcd-efgh'));
  expect(recoveryCodeHash('ann', '0g1k-m2x9-abcd-efgh')).toHaveLength(32);
});

test.each([
  '',
  '123456',
  '0g1k-m2x9-abcd-efg',
  '0g1k-m2x9-abcd-efghj',
  '0g1k-m2x9-abcd-efg!',
  '0g1k-m2x9-abcd-efgh-jkmn',
  'é'.repeat(24),
])('%j is none', (typed) => {
  expect(recoveryCodeHash('ann', typed)).toBeNull();
});
