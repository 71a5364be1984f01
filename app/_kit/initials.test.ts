import { expect, test } from 'vitest';
import { initialsOf } from './initials';

test.each([
  ['Inbox manager', 'IM'],
  ['Spring campaign 2025', 'SC'],
  ['Övünç', 'Ö'],
  ['🚲 fleet', 'F'],
  ['  ', '?'],
])('initials of %s are %s', (name, initials) => {
  expect(initialsOf(name)).toBe(initials);
});
