import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { balancedLines, breakable, partsOf, plainLine } from './social-lines';

/** Each character has width one. */
const pieces = (text: string) => breakable(text).map((piece) => ({ text: piece, width: piece.length }));
const lines = (text: string, maximum: number, maximumLines = 4) =>
  balancedLines(pieces(text), { maximum, maximumLines, ellipsis: 1 }).lines;

test('a line of text has no control characters, no breaks and no towers of marks', () => {
  expect(plainLine('  A\n\ttitle\u0000\u202e of\u00a0 ours ')).toBe('A title of ours');
  expect(plainLine(`a${'\u0323'.repeat(50)}b`)).toBe('ạ\u0323\u0323b');
  expect(plainLine('a\ud83cb')).toBe('ab');
  expect(plainLine('👩‍👩‍👧 می‌خواهم')).toBe('👩‍👩‍👧 می‌خواهم');
  expect(plainLine('👩‍👩‍👧'.repeat(10), 3)).toBe('👩‍👩‍👧'.repeat(3));
});

describe('a line may end', () => {
  test('after spaces, hyphens and slashes', () => {
    expect(breakable('one-off costs, “and/or” more')).toEqual(['one-', 'off ', 'costs, ', '“and/', 'or” ', 'more']);
  });

  test('between words that are written without spaces, but not before a mark', () => {
    const text = '我们的新办公室，开业了。';
    expect(breakable(text).length).toBeGreaterThan(3);
    expect(breakable(text).join('')).toBe(text);
    expect(breakable(text).filter((piece) => /^[，。]/u.test(piece))).toEqual([]);
  });
});

describe('lines', () => {
  test('are about equally long', () => {
    expect(lines('How we cut our reply time in half', 28)).toEqual(['How we cut our', 'reply time in half']);
    expect(lines('Spring hours', 28)).toEqual(['Spring hours']);
    expect(lines('', 28)).toEqual([]);
  });

  test('beyond the last give way to an ellipsis after a whole word', () => {
    expect(lines('one two three four five', 9, 2)).toEqual(['one two', 'three…']);
    expect(lines('one two, three four', 10, 1)).toEqual(['one two…']);
    expect(lines('abcdefghij klm', 10, 1)).toEqual(['abcdefg…']);
  });

  test('hold all of the text in order, none wider than it may be', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 })),
        fc.integer({ min: 20, max: 60 }),
        (words, maximum) => {
          const text = plainLine(words.join(' '));
          const narrow = pieces(text).flatMap((piece) => partsOf(piece.text, piece.width, maximum));
          const measured = narrow.map((piece) => ({ text: piece, width: piece.length }));
          const { lines: all } = balancedLines(measured, { maximum: maximum + 1, maximumLines: 1000, ellipsis: 1 });
          expect(all.join('').replaceAll(' ', '')).toBe(text.replaceAll(' ', ''));
        },
      ),
    );
  });
});
