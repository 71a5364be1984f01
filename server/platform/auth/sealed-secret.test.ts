import { afterEach, beforeEach, expect, test } from 'vitest';
import { overrideEnv } from '@/server/platform/env';
import { openSecret, sealSecret } from './sealed-secret';

const plain = Buffer.from('the secret of an authenticator app');
const open = (sealed: Uint8Array, purpose = 'totp', owner = 'ann') => openSecret(sealed, purpose, owner)?.toString();

beforeEach(() => overrideEnv({ AUTH_SECRET: 'x'.repeat(32) }));
afterEach(() => overrideEnv({ AUTH_SECRET: 'x'.repeat(32) }));

test('a sealed secret is read again, and differs each time it is sealed', () => {
  const [one, two] = [sealSecret(plain, 'totp', 'ann'), sealSecret(plain, 'totp', 'ann')];
  expect(open(one)).toBe(plain.toString());
  expect(open(two)).toBe(plain.toString());
  expect(one).not.toEqual(two);
  expect(Buffer.from(one).includes(plain)).toBe(false);
});

test('it is worth nothing in another row, for another purpose or under another AUTH_SECRET', () => {
  const sealed = sealSecret(plain, 'totp', 'ann');
  expect(open(sealed, 'totp', 'bob')).toBeUndefined();
  expect(open(sealed, 'mailbox', 'ann')).toBeUndefined();
  overrideEnv({ AUTH_SECRET: 'y'.repeat(32) });
  expect(open(sealed)).toBeUndefined();
});

test('a changed byte anywhere, a missing end or nothing at all is refused', () => {
  const sealed = sealSecret(plain, 'totp', 'ann');
  for (let i = 0; i < sealed.length; i++) {
    const damaged = Uint8Array.from(sealed);
    damaged[i] = (damaged[i] ?? 0) ^ 1;
    expect(open(damaged), `byte ${i}`).toBeUndefined();
  }
  for (let length = 0; length < sealed.length; length++) expect(open(sealed.subarray(0, length))).toBeUndefined();
});
