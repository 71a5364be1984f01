import { expect, test } from 'vitest';
import { rangeOf } from './selection';

const rows = ['a', 'b', 'c', 'd'];

test.each([
  ['a', 'c', ['a', 'b', 'c']],
  ['d', 'b', ['b', 'c', 'd']],
  ['b', 'b', ['b']],
  [null, 'c', ['c']],
  ['gone', 'c', ['c']],
])('from %s to %s', (from, to, range) => {
  expect(rangeOf(rows, from, to)).toEqual(range);
});
