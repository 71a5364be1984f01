import { describe, expect, test } from 'vitest';
import { matchingTotpStep, newTotpSecret, totpSetup, totpStep } from './totp';

/** RFC 6238, appendix B: SHA-1, the last six of the eight digits. */
const rfcSecret = Buffer.from('12345678901234567890');

describe('codes', () => {
  test.each([
    [59, '287082'],
    [1111111109, '081804'],
    [1111111111, '050471'],
    [1234567890, '005924'],
    [2000000000, '279037'],
    [20000000000, '353130'],
  ])('at %i are those of RFC 6238', (seconds, code) => {
    expect(matchingTotpStep(rfcSecret, code, seconds)).toBe(Math.floor(seconds / 30));
  });

  test('count one step early and late, and no further', () => {
    const step = totpStep(1111111111);
    for (const [steps, expected] of [
      [-2, null],
      [-1, step],
      [0, step],
      [1, step],
      [2, null],
    ] as const) {
      expect(matchingTotpStep(rfcSecret, '050471', 1111111111 + steps * 30)).toBe(expected);
    }
  });

  test.each(['', '0', '05047', '0504711', 'abcdef', '０５０４７１', '-50471', ' 50471'])('%j is none', (code) => {
    expect(matchingTotpStep(rfcSecret, code, 1111111111)).toBeNull();
  });
});

test('secrets are random, and told to an app with whose they are', () => {
  const [one, two] = [newTotpSecret(), newTotpSecret()];
  expect(one).toHaveLength(20);
  expect(one).not.toEqual(two);
  const { secret, uri } = totpSetup(rfcSecret, 'Frontdesk (desk.example)', 'ann+desk@quark.example');
  expect(secret).toBe('GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ');
  const parsed = new URL(uri);
  expect(decodeURIComponent(parsed.pathname)).toBe('/Frontdesk (desk.example):ann+desk@quark.example');
  expect(Object.fromEntries(parsed.searchParams)).toEqual({
    issuer: 'Frontdesk (desk.example)',
    secret,
    algorithm: 'SHA1',
    digits: '6',
    period: '30',
  });
});
