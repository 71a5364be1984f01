import { expect, test } from 'vitest';
import { groupedSecret, recoveryCodesHint } from './two-factor-labels';

test('few recovery codes are worth a hint', () => {
  expect([10, 4].map(recoveryCodesHint)).toEqual([null, null]);
  expect(recoveryCodesHint(3)).toContain('running low');
  expect(recoveryCodesHint(1)).toContain('running low');
  expect(recoveryCodesHint(0)).toContain('no recovery codes');
});

test('a secret is shown in groups', () => {
  expect(groupedSecret('GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ')).toBe('GEZD GNBV GY3T QOJQ GEZD GNBV GY3T QOJQ');
  expect(groupedSecret('ABCDE')).toBe('ABCD E');
});
