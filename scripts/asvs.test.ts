import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/** docs/asvs.md states our status for every requirement of levels 1 and 2 of ASVS 5.0.0. */

const rows = readFileSync(new URL('../docs/asvs.md', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => /^\| \d/.test(line))
  .map((line) => line.split('|').map((cell) => cell.trim()));

/** Number of requirements in each chapter of the standard. */
const counts = {
  1: 27,
  2: 11,
  3: 19,
  4: 10,
  5: 9,
  6: 35,
  7: 18,
  8: 7,
  9: 7,
  10: 29,
  11: 14,
  12: 9,
  13: 13,
  14: 9,
  15: 13,
  16: 16,
  17: 7,
};

test('every requirement has one row, in its chapter', () => {
  const ids = rows.map(([, id = '']) => id);
  expect(new Set(ids).size).toBe(ids.length);
  const found: Record<string, number> = {};
  for (const id of ids) {
    const chapter = id.split('.')[0] ?? '';
    found[chapter] = (found[chapter] ?? 0) + 1;
  }
  expect(found).toEqual(counts);
});

test('every row has a state, and what is not met has its reason', () => {
  for (const [, id, requirement, state, how] of rows) {
    expect(['met', 'n/a', 'open'], id).toContain(state);
    expect(requirement, id).not.toBe('');
    if (state !== 'met') expect(how, id).not.toBe('');
  }
});
