import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { contactGuid as guidOfServer } from '@/server/features/customers/contact-guid';
import { contactGuid } from '../src/contact-guid.js';
import { sha1 } from '../src/sha1.js';
import { randomUuid } from '../src/uuid.js';

test('the guid is the one the server computes', () => {
  expect(contactGuid('  Ann@Quark.io ')).toBe(guidOfServer('ann@quark.io'));
  fc.assert(
    fc.property(
      fc.oneof(fc.emailAddress(), fc.string({ unit: 'grapheme' })),
      (email) => contactGuid(email) === guidOfServer(email),
    ),
  );
});

test('SHA-1 is that of others, at every length around a block', () => {
  for (let length = 0; length <= 130; length++) {
    const message = Uint8Array.from({ length }, (_, index) => (index * 7 + length) & 0xff);
    expect(Buffer.from(sha1(message)).toString('hex')).toBe(createHash('sha1').update(message).digest('hex'));
  }
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 500 }), (message) =>
      Buffer.from(sha1(message)).equals(createHash('sha1').update(message).digest()),
    ),
  );
});

test('random UUIDs are of version 4 and differ', () => {
  const made = new Set(Array.from({ length: 100 }, randomUuid));
  expect(made.size).toBe(100);
  for (const uuid of made) expect(uuid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
});
