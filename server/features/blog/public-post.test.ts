import { expect, test } from 'vitest';
import { beginningOf } from './public-post';

test('the beginning of a text ends at a word, and never within a character', () => {
  expect(beginningOf(`${'word '.repeat(50)}`)).toMatch(/^(?:word )+word…$/);
  const cut = beginningOf(`${'字'.repeat(199)}😀${'字'.repeat(50)}`);
  expect(cut).toBe(`${'字'.repeat(199)}…`);
});
