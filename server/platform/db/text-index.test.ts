import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { withFreshDatabase } from '@/server/testing/database';
import { pool } from './pool';
import { type TextCondition, textQuery, textVector, type Weight, wordsOfText } from './text-index';

withFreshDatabase();

type Texts = Partial<Record<Weight, readonly string[]>>;

const owner = 'one';

async function isFound(texts: Texts, conditions: TextCondition[], { of = owner, flags = [] as string[] } = {}): Promise<boolean> {
  const vector = textVector(owner, { texts, flags: ['attachment'] });
  const { rows } = await pool().query<{ found: boolean }>('SELECT $1::tsvector @@ $2::tsquery AS found', [
    vector,
    textQuery(of, conditions, flags),
  ]);
  return rows[0]?.found === true;
}

test.each([
  ['Hello, World', ['hello', 'world']],
  ['ann.meyer@quark.example', ['ann', 'meyer', 'quark', 'example']],
  ["don't 12:30 2026-11-30 snake_case", ['don', 't', '12', '30', '2026', '11', '30', 'snake', 'case']],
  ['ÀÉÎ Straße ﬁne Ⅷ', ['aei', 'strasse', 'fine', 'viii']],
  ['請求書をお願いします', [...'請求書をお願いします']],
  ['🚲 bike', ['🚲', 'bike']],
  ['x'.repeat(100), ['x'.repeat(64)]],
  ['... -- ', []],
])('the words of %s', (text, words) => {
  expect(wordsOfText(text)).toEqual(words);
});

describe('a text is found', () => {
  const texts: Texts = { A: ['Second reminder'], B: ['Ann Meyer ann@quark.example'], D: ['Please pay the invoice. Second page'] };

  test.each<[TextCondition, boolean]>([
    [{ words: ['invoice'] }, true],
    [{ words: ['invoi'] }, false],
    [{ words: ['invoi'], isPrefix: true }, true],
    [{ words: ['pa'], isPrefix: true }, false],
    [{ words: ['second', 'reminder'] }, true],
    [{ words: ['second', 'rem'], isPrefix: true }, true],
    [{ words: ['reminder', 'second'] }, false],
    [{ words: ['reminder', 'ann'] }, false],
    [{ words: ['invoice'], weights: ['A'] }, false],
    [{ words: ['second'], weights: ['A', 'B'] }, true],
    [{ words: ['quark', 'exa'], weights: ['B'], isPrefix: true }, true],
    [{ words: ['offer'], isNegated: true }, true],
    [{ words: ['invoice'], isNegated: true }, false],
    [{ words: [] }, false],
  ])('%j: %s', async (condition, found) => {
    expect(await isFound(texts, [condition])).toBe(found);
    expect(await isFound(texts, [{ words: ['please'] }, condition])).toBe(found);
    if (!condition.isNegated) expect(await isFound(texts, [condition], { of: 'another' })).toBe(false);
  });

  test('by its flags', async () => {
    expect(await isFound(texts, [], { flags: ['attachment'] })).toBe(true);
    expect(await isFound(texts, [], { flags: ['picture'] })).toBe(false);
    expect(await isFound(texts, [], { flags: ['attachment'], of: 'another' })).toBe(false);
    expect(await isFound({ A: ['attachment'] }, [{ words: ['attachment'] }])).toBe(true);
  });
});

test('any text is found by each of its words, and by any three in a row', async () => {
  const text = fc.string({ unit: 'grapheme', maxLength: 300 });
  const texts = fc.oneof(
    text,
    fc
      .array(fc.constantFrom('one', 'two', 'three', 'Müller', '請求書', "it's"), { maxLength: 40 })
      .map((words) => words.join(' ')),
  );
  await fc.assert(
    fc.asyncProperty(texts, fc.nat(), async (written, at) => {
      const words = wordsOfText(written);
      const start = words.length === 0 ? 0 : at % words.length;
      const phrase = words.slice(start, start + 3);
      if (phrase.length > 0) expect(await isFound({ D: [written] }, [{ words: phrase }])).toBe(true);
      expect(
        await isFound(
          { D: [written] },
          words.slice(0, 20).map((word) => ({ words: [word], isPrefix: true })),
          { flags: ['attachment'] },
        ),
      ).toBe(true);
    }),
    { numRuns: 60 },
  );
});

test('a text is indexed within the limits of PostgreSQL, however long and varied', async () => {
  const numbers = Array.from({ length: 200_000 }, (_, index) => index);
  for (const text of [
    numbers.map((index) => index.toString(36)).join(' '),
    numbers.map((index) => `${index}${'語x'.repeat(40)}`).join(' '),
    'same '.repeat(100_000),
  ]) {
    expect(await isFound({ A: [text], D: [text, text] }, [{ words: wordsOfText(text).slice(0, 2) }])).toBe(true);
  }
});
