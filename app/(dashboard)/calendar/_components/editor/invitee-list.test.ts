import { expect, test } from 'vitest';
import { parseInvitees, refusalReason } from './invitee-list';

const ann = { email: 'ann@quark.example', name: '', isOptional: false };

test('a pasted list becomes invitees with their names', () => {
  const parsed = parseInvitees('"Hill, Bob" <Bob@Quark.example>; cy@quark.example\ndi@quark.example', []);
  expect(parsed.added).toEqual([
    { email: 'bob@quark.example', name: 'Hill, Bob', isOptional: false },
    { email: 'cy@quark.example', name: '', isOptional: false },
    { email: 'di@quark.example', name: '', isOptional: false },
  ]);
  expect(refusalReason(parsed)).toBe('');
});

test('who is there already and what is no address is refused, and named', () => {
  const parsed = parseInvitees('ANN@quark.example, bob@quark.example, Cy', [ann]);
  expect(parsed).toMatchObject({ repeated: ['ann@quark.example'], invalid: ['Cy'] });
  expect(parsed.added.map(({ email }) => email)).toEqual(['bob@quark.example']);
  expect(refusalReason(parsed)).toBe('“Cy” isn’t a valid email. “ann@quark.example” is already on the list.');
  expect(refusalReason(parseInvitees('x, y', []))).toBe('“x”, “y” aren’t valid emails.');
});

test('nothing is nobody', () => {
  expect(parseInvitees(' , ', [ann])).toEqual({ added: [], repeated: [], invalid: [] });
});
