import { describe, expect, test } from 'vitest';
import { readingMinutes } from './reading-time';
import { countWords } from './word-count';

describe('words', () => {
  test.each([
    ['', 0],
    [' … — !', 0],
    ["Don't count 3.14 or state-of-the-art twice.", 6],
    ['Crème brûlée à la carte', 5],
    ['Привет, мир', 2],
    ['안녕하세요 세계', 2],
    ['cafe\u0301 con leche', 3],
    ['你好世界', 2],
    ['東京に行きます。 Then home.', 6],
    ['ภาษาไทยง่าย', 3],
    ['नमस्ते दुनिया', 2],
  ])('%j', (text, count) => {
    expect(countWords(text)).toBe(count);
  });

  test('of a long text without spaces are about as many as of its parts', () => {
    const sentence = '你好世界';
    const count = countWords(sentence.repeat(5_000));
    expect(Math.abs(count / (5_000 * countWords(sentence)) - 1)).toBeLessThan(0.05);
  });
});

test.each([
  [0, 1],
  [219, 1],
  [440, 2],
  [2_200, 10],
])('%i words take %i minutes', (words, minutes) => {
  expect(readingMinutes(words)).toBe(minutes);
});
