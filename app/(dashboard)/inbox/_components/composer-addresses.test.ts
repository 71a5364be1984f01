import fc from 'fast-check';
import { expect, it } from 'vitest';
import { countRecipients, parseRecipients } from './composer-addresses';

const emails = (text: string) => parseRecipients(text).map(({ email }) => email);

it('takes a pasted list apart, however it is written', () => {
  expect(emails('ann@quark.example, bob@quark.example;cy@quark.example\ndi@quark.example\teve@quark.example')).toEqual([
    'ann@quark.example',
    'bob@quark.example',
    'cy@quark.example',
    'di@quark.example',
    'eve@quark.example',
  ]);
  expect(emails('ann@quark.example bob@quark.example')).toEqual(['ann@quark.example', 'bob@quark.example']);
});

it('keeps names, also those with a comma', () => {
  expect(parseRecipients('Ann Hill <Ann@Quark.example>, "Hill, Bob" <bob@quark.example>, <mailto:cy@quark.example>')).toEqual([
    { email: 'ann@quark.example', displayName: 'Ann Hill' },
    { email: 'bob@quark.example', displayName: 'Hill, Bob' },
    { email: 'cy@quark.example', displayName: null },
  ]);
});

it('leaves what is no address as it was typed', () => {
  expect(parseRecipients('Ann Hill, ann@')).toEqual([
    { email: 'Ann Hill', displayName: null },
    { email: 'ann@', displayName: null },
  ]);
});

it('takes nobody twice, in whatever case, nor who is there already', () => {
  const present = [{ email: 'bob@quark.example', displayName: 'Bob' }];
  expect(parseRecipients('ann@quark.example, ANN@quark.example, Bob@quark.example', present)).toEqual([
    { email: 'ann@quark.example', displayName: null },
  ]);
});

it('recovers at the next line from a quotation mark that was never closed', () => {
  expect(emails('"Ann <ann@quark.example>\nbob@quark.example').at(-1)).toBe('bob@quark.example');
});

it('counts people, not chips, and nobody for what is no address', () => {
  const person = (email: string) => ({ email, displayName: null });
  const to = [person('ann@quark.example'), person('bob')];
  expect(countRecipients(to, [person('Ann@quark.example'), person('bob@quark.example')])).toBe(2);
});

it('takes a joined list apart into the same addresses, in their order', () => {
  const addresses = fc.uniqueArray(fc.stringMatching(/^[a-z0-9]{1,12}@[a-z]{1,8}\.example$/), { maxLength: 20 });
  fc.assert(
    fc.property(addresses, fc.constantFrom(',', '; ', '\n', ' , ', ' '), (list, separator) => {
      expect(emails(list.join(separator))).toEqual(list);
    }),
  );
});
