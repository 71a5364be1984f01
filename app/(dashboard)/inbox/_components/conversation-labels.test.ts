import { describe, expect, test } from 'vitest';
import { formatSize, nameOf, neighbourOf, recipientsLine, subjectOf } from './conversation-labels';

const person = (email: string, displayName: string | null = null) => ({ email, displayName });
const own = new Set(['hello@harborlane.example', 'sales@harborlane.example']);

test.each([
  [person('ann@quark.example', 'Ann Quark'), 'Ann Quark'],
  [person('ann@quark.example', '  '), 'ann@quark.example'],
  [person('ann@quark.example'), 'ann@quark.example'],
  [person(''), '(unknown sender)'],
])('%j is called %s', (address, name) => {
  expect(nameOf(address)).toBe(name);
});

test('a conversation without a subject has a name nevertheless', () => {
  expect([subjectOf('  '), subjectOf(' Offer ')]).toEqual(['(no subject)', 'Offer']);
});

test.each([
  [[], 'to undisclosed recipients'],
  [[person('Hello@HarborLane.example', 'Harbor Lane')], 'to me'],
  [[person('bob@quark.example', 'Bob Hill')], 'to Bob Hill'],
  [[person('bob@quark.example', 'Bob Hill'), person('hello@harborlane.example')], 'to me, Bob Hill'],
  [
    [person('hello@harborlane.example'), person('sales@harborlane.example'), person('bob@quark.example')],
    'to me, bob@quark.example',
  ],
  [['a', 'b', 'c', 'd'].map((name) => person(`${name}@quark.example`, name)), 'to a, b +2'],
])('the recipients %j read: %s', (recipients, line) => {
  expect(recipientsLine(recipients, own)).toBe(line);
});

test.each([
  [0, '0 B'],
  [999, '999 B'],
  [1_000, '1 kB'],
  [1_240, '1.2 kB'],
  [62_400, '62 kB'],
  [999_960, '1 MB'],
  [26_214_400, '26 MB'],
  [5_000_000_000_000, '5000 GB'],
])('%i bytes are %s', (bytes, size) => {
  expect(formatSize(bytes)).toBe(size);
});

describe('from the open conversation one walks', () => {
  const ids = ['a', 'b', 'c'];

  test('to its neighbours, and not beyond the ends', () => {
    expect(neighbourOf(ids, 'b', 1, 1)).toBe('c');
    expect(neighbourOf(ids, 'b', 1, -1)).toBe('a');
    expect(neighbourOf(ids, 'c', 2, 1)).toBeUndefined();
    expect(neighbourOf(ids, 'a', 0, -1)).toBeUndefined();
  });

  test('into the list, where none is open', () => {
    expect(neighbourOf(ids, null, 0, 1)).toBe('a');
    expect(neighbourOf(ids, null, 0, -1)).toBe('c');
    expect(neighbourOf([], null, 0, 1)).toBeUndefined();
  });

  test('around the place of one that has left the list', () => {
    expect(neighbourOf(ids, 'gone', 1, 1)).toBe('b');
    expect(neighbourOf(ids, 'gone', 1, -1)).toBe('a');
    expect(neighbourOf(ids, 'gone', 3, 1)).toBeUndefined();
    expect(neighbourOf(ids, 'gone', 9, -1)).toBe('c');
    expect(neighbourOf(ids, 'gone', 0, -1)).toBeUndefined();
  });
});
