import { expect, it } from 'vitest';
import { lineDifferences } from './line-differences';

const shown = (theirs: string, mine: string) =>
  lineDifferences(theirs, mine).map(({ kind, lines }) => `${{ both: ' ', theirs: '-', mine: '+' }[kind]}${lines.join('|')}`);

it('tells what only one of two texts says', () => {
  expect(shown('a\nb\nc\nd', 'a\nx\nc\ny\nd')).toEqual([' a', '-b', '+x', ' c', '+y', ' d']);
  expect(shown('a\nb', 'a\nb')).toEqual([' a|b']);
  expect(shown('a', 'a\na')).toEqual([' a', '+a']);
  expect(shown('', 'a')).toEqual(['-', '+a']);
});

it('does not compare line by line what would take too long', () => {
  const many = (word: string) => Array.from({ length: 3_000 }, (_, index) => `${word} ${index}`).join('\n');
  expect(lineDifferences(many('a'), many('b')).map(({ kind }) => kind)).toEqual(['theirs', 'mine']);
});
