import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { phoneDigitsOf, searchWords, textFinder } from './search-words';

/** The text with its marks in brackets. */
function marked(search: string, text: string): string {
  const ranges = textFinder(search).rangesIn(text);
  return [...ranges]
    .reverse()
    .reduce((left, [from, to]) => `${left.slice(0, from)}[${left.slice(from, to)}]${left.slice(to)}`, text);
}

test.each([
  ['', []],
  ['  \n ', []],
  ['Lunch  CARGO', ['lunch', 'cargo']],
  ['cargo car cargo', ['cargo']],
  ['Meyer, Ann;', ['meyer', 'ann']],
  [', ;', [',', ';']],
  ['100% Q&A', ['100%', 'q&a']],
])('%j has the words %j', (search, words) => {
  expect(searchWords(search)).toEqual(words);
});

test.each([
  ['lunch cargo', 'Cargo bikes after lunch', '[Cargo] bikes after [lunch]'],
  ['cargo cargobike', 'A cargobike', 'A [cargobike]'],
  ['go bik', 'cargobikes', 'car[gobik]es'],
  ['ärger', 'Ärger & Söhne', '[Ärger] & Söhne'],
  ['.*', 'a.*b', 'a[.*]b'],
  // Exact ones are marked alone, where there are any.
  ['cargo', 'crago cargo', 'crago [cargo]'],
  ['crago', 'a cargo', 'a [cargo]'],
  ['ann@qurak.example', 'Ann <ann@quark.example>', '[Ann] <[ann]@[quark].[example]>'],
  ['none', 'of these', 'of these'],
])('%j is found in %j', (search, text, expected) => {
  expect(marked(search, text)).toBe(expected);
});

describe('one typing error', () => {
  test.each([
    ['a wrong letter', 'carto'],
    ['a missing one', 'crgo'],
    ['the first one missing', 'argo'],
    ['the last one missing', 'carg'],
    ['a needless one', 'carrgo'],
    ['a needless one at the end', 'cargos'],
    ['two that changed places', 'cagro'],
  ])('is forgiven: %s', (_, search) => {
    expect(textFinder(search).isIn(['Cargo'])).toBe(true);
  });

  test.each([
    ['two of them', 'crato', 'cargo'],
    ['a short word', 'cot', 'cat'],
    ['a word that only begins like it', 'boat', 'board'],
    ['a part within a word', 'harfo', 'scargos'],
    ['digits', '11184', '11834'],
  ])('is not: %s', (_, search, text) => {
    expect(textFinder(search).isIn([text])).toBe(false);
  });

  test('is forgiven in each word, wherever it is', () => {
    const word = fc.string({ unit: fc.constantFrom(...'abcdefghäöé'), minLength: 5, maxLength: 12 });
    const change = fc.tuple(
      fc.constantFrom('wrong', 'missing', 'needless', 'exchanged'),
      fc.nat(),
      fc.constantFrom('x', 'y', 'ß'),
    );
    fc.assert(
      fc.property(word, change, ([...letters], [kind, position, letter]) => {
        const index = position % letters.length;
        const typed = [...letters];
        if (kind === 'wrong') typed[index] = letter;
        if (kind === 'missing') typed.splice(index, 1);
        if (kind === 'needless') typed.splice(index, 0, letter);
        if (kind === 'exchanged')
          typed.splice(Math.max(0, index - 1), 2, ...letters.slice(Math.max(0, index - 1), Math.max(0, index - 1) + 2).reverse());
        expect(textFinder(typed.join('')).isIn([`some ${letters.join('')} of them`]), typed.join('')).toBe(true);
      }),
    );
  });
});

test('a search is in several texts together, and what is missing can be looked for on its own', () => {
  const finder = textFinder('lunch cargo vip');
  expect(finder.isIn(['Cargo bikes', 'after lunch', 'vip'])).toBe(true);
  expect(finder.isIn(['Cargo bikes', 'vip'])).toBe(false);
  expect(finder.without(['Cargo bikes', 'vip']).rangesIn('cargo, vip, lunch')).toEqual([[12, 17]]);
});

test('no search, however long, takes long to find nothing', () => {
  const text = 'aaaaaaaaaa '.repeat(400);
  const begin = process.cpuUsage();
  expect(textFinder(`${'a'.repeat(39)}b ${'ab'.repeat(80)}`).rangesIn(text)).toEqual([]);
  expect(process.cpuUsage(begin).user).toBeLessThan(1_000_000);
});

test.each([
  ['(040)', '40'],
  ['+49', '49'],
  ['5550-1234', '55501234'],
  ['0049/40', '4940'],
  ['000', ''],
  ['a1', ''],
])('of %s the phone has %j', (word, digits) => {
  expect(phoneDigitsOf(word)).toBe(digits);
});
