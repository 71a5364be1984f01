import fc from 'fast-check';
import { expect, test } from 'vitest';
import { invalidFields } from '@/server/platform/errors';
import { parseSearchQuery } from './search-query';

const conditionsOf = (query: string) =>
  parseSearchQuery(query).conditions.map(({ words, weights = [], isPrefix, isNegated }) =>
    [isNegated ? '-' : '', weights.join(''), `(${words.join(' ')})`, isPrefix ? '*' : ''].join(''),
  );

test.each([
  ['Invoice reminder', ['(invoice)*', '(reminder)*']],
  ['"Second  reminder"', ['(second reminder)']],
  ['"never closed', ['(never closed)']],
  ['2026-1187', ['(2026 1187)*']],
  ['ann@quark.example', ['(ann quark example)*']],
  ['from:Ann', ['B(ann)*']],
  ['FROM:"Ann Meyer" to:sales subject:offer', ['B(ann meyer)', 'C(sales)*', 'A(offer)*']],
  ['invoice -draft -"not this"', ['(invoice)*', '-(draft)*', '-(not this)']],
  ['well-known', ['(well known)*']],
  ['at 12:30 re:answer', ['(at)*', '(12 30)*', '(re answer)*']],
  ['https://quark.example/a', ['(https quark example a)*']],
  ['from: - ""', []],
  ['... -!', ['()*', '-()*']],
  ['🚲', ['(🚲)*']],
  ['Žluťoučký Straße', ['(zlutoucky)*', '(strasse)*']],
  ['請求書', ['(請 求 書)*']],
  ['a"b c"d', ['(a)*', '(b c)', '(d)*']],
])('the words of %s', (query, conditions) => {
  expect(conditionsOf(query)).toEqual(conditions);
});

test.each([
  ['has:attachment', { hasAttachment: true }],
  ['label:Fleet label:"Needs answer"', { labels: ['Fleet', 'Needs answer'] }],
  ['after:2026-10-01 before:2026-11-01', { after: '2026-10-01', before: '2026-11-01' }],
  ['has: label: after:', { hasAttachment: false, labels: [] }],
  ['has:attachment -draft', { hasAttachment: true }],
])('the filters of %s', (query, filters) => {
  expect(parseSearchQuery(query)).toMatchObject(filters);
});

test.each([
  ['has:stars', 'has “has:” without “attachment”'],
  ['after:yesterday', 'has “after:” without a date such as 2026-11-30'],
  ['before:2026-02-30', 'has “before:” without a date such as 2026-11-30'],
  ['after:0000-01-01', 'has “after:” without a date such as 2026-11-30'],
  ['before:20261130', 'has “before:” without a date such as 2026-11-30'],
  ['-label:fleet', 'has a minus in front of “label:”'],
  ['-draft', 'has only words with a minus'],
])('%s is refused', (query, problem) => {
  expect(() => parseSearchQuery(query)).toThrow(invalidFields({ query: problem }));
});

test('any other text is read', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), (query) => {
      try {
        expect(parseSearchQuery(query).labels).toBeDefined();
      } catch (error) {
        expect(error).toMatchObject({ code: 'invalid_request' });
      }
    }),
  );
});
