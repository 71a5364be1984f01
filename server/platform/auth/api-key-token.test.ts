import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { describeApiKeyToken, generateApiKeyToken, hashApiKeyToken, isWellFormedApiKeyToken } from './api-key-token';

const base62 = [...'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'];

describe('an API key token', () => {
  test('is the prefix, at least 32 random bytes in base62, and a checksum', () => {
    const token = generateApiKeyToken();
    expect(token).toMatch(/^sk_live_[0-9A-Za-z]{49}$/);
    expect(62n ** BigInt(token.length - 'sk_live_'.length - 6)).toBeGreaterThan(2n ** 255n);
  });

  test('is a new one each time, and well formed', () => {
    const tokens = Array.from({ length: 2_000 }, generateApiKeyToken);
    expect(new Set(tokens).size).toBe(tokens.length);
    expect(tokens.every(isWellFormedApiKeyToken)).toBe(true);
  });

  test('uses the whole alphabet at every place', () => {
    const tokens = Array.from({ length: 4_000 }, generateApiKeyToken);
    for (const place of [8, 20, 50]) {
      expect([...new Set(tokens.map((token) => token.charAt(place)))].sort()).toEqual([...base62].sort());
    }
  });

  test('with any one character replaced is refused without a look-up', () => {
    const token = generateApiKeyToken();
    fc.assert(
      fc.property(fc.nat({ max: token.length - 1 }), fc.constantFrom(...base62, '_', ' ', 'é'), (place, character) => {
        fc.pre(token.charAt(place) !== character);
        expect(isWellFormedApiKeyToken(token.slice(0, place) + character + token.slice(place + 1))).toBe(false);
      }),
      { numRuns: 2_000 },
    );
  });

  test('with two neighbours swapped is refused', () => {
    for (let i = 0; i < 50; i++) {
      const token = generateApiKeyToken();
      const swapped = token.replace(/^(sk_live_.{10})(.)(.)/, '$1$3$2');
      if (swapped !== token) expect(isWellFormedApiKeyToken(swapped)).toBe(false);
    }
  });

  test.each([
    '',
    'sk_live_',
    'sk_test_',
    generateApiKeyToken().slice(0, -1),
    `${generateApiKeyToken()}0`,
    ` ${generateApiKeyToken()}`,
  ])('is not %j', (text) => {
    expect(isWellFormedApiKeyToken(text)).toBe(false);
  });

  test('is not any text with a line break at its end', () => {
    expect(isWellFormedApiKeyToken(`${generateApiKeyToken()}\n`)).toBe(false);
  });

  test('is stored as its SHA-256 and shown by its ends only', () => {
    const token = generateApiKeyToken();
    expect(hashApiKeyToken(token)).toEqual(createHash('sha256').update(token, 'utf8').digest());
    const shown = describeApiKeyToken(token);
    expect(shown.last4).toBe(token.slice(-4));
    expect(token.startsWith(shown.prefix)).toBe(true);
    expect(shown.prefix.length + shown.last4.length).toBeLessThanOrEqual(16);
  });
});
