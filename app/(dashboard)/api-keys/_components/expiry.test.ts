import { expect, test } from 'vitest';
import { expiresAt } from './expiry';

const now = new Date(2026, 10, 21, 9, 30);

test('never has no end', () => expect(expiresAt('never', '', now)).toBeNull());

test('a preset counts from now', () => {
  expect(new Date(expiresAt('30', '', now) ?? '')).toEqual(new Date(2026, 11, 21, 9, 30));
});

test('a chosen day counts to its end where the viewer is', () => {
  expect(new Date(expiresAt('custom', '2026-11-23', now) ?? '')).toEqual(new Date(2026, 10, 23, 23, 59, 59));
});
