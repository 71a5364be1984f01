import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { contactGuid } from './contact-guid';

/** RFC 9562, section 5.5: an independent implementation of the same guid. */
function uuidV5OfUrl(name: string): string {
  const namespace = Buffer.from('6ba7b8119dad11d180b400c04fd430c8', 'hex');
  const bytes = createHash('sha1').update(namespace).update(name, 'utf8').digest().subarray(0, 16);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x50;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

test('the guid of ann@quark.io is the same in every installation', () => {
  expect(contactGuid('ann@quark.io')).toBe(uuidV5OfUrl('mailto:ann@quark.io'));
  expect(contactGuid('ann@quark.io')).toBe('53ec99fd-3ebc-50ed-a4e2-ea9fc9da7adb');
});

test.each(['ANN@Quark.IO', '  ann@quark.io', 'ann@quark.io\t', ' Ann@QUARK.io \n'])(
  '%j has the guid of ann@quark.io',
  (email) => {
    expect(contactGuid(email)).toBe(contactGuid('ann@quark.io'));
  },
);

test('it is the UUIDv5 of the address as a mailto URL', () => {
  fc.assert(
    fc.property(fc.emailAddress(), (email) => {
      expect(contactGuid(email)).toBe(uuidV5OfUrl(`mailto:${email.toLowerCase()}`));
    }),
  );
});
