import { expect, it, test } from 'vitest';
import { toFormatted, toPlain } from './formats';

test.each([
  [
    'Hello **Ann**,\nsee [our offer](https://a.example/offer) and <https://b.example>.',
    'Hello Ann,\nsee our offer (https://a.example/offer) and https://b.example.',
  ],
  ['- one\n- two\n  1. three\n  2. four', '- one\n- two\n  1. three\n  2. four'],
  ['> quoted\n> lines\n\nAnswer', '> quoted\n> lines\n\nAnswer'],
  ['![Map](attachment:0192f0aa-1111-7111-8111-111111111111) below', '[Map] below'],
  ['| A | B |\n| - | - |\n| 1 | 2 |', 'A | B\n1 | 2'],
  ['ann@example.com, www.example.com', 'ann@example.com, www.example.com'],
  ['[**Our** offer](https://a.example)', 'Our offer (https://a.example)'],
])('as plain text, %j', (markdown, text) => {
  expect(toPlain(markdown)).toBe(text);
});

it('leaves the characters of a plain text what they are', () => {
  expect(toFormatted('2026. *That*\n- a_b\n\n\n# x')).toBe('2026\\. \\*That\\*\n\\- a_b\n\n\\# x');
});

it('leaves Markdown that is too large to edit as it is', () => {
  for (const large of [`${'> '.repeat(20_000)}x`, `${'1. '.repeat(60)}x`, '**x** '.repeat(20_000)])
    expect(toPlain(large)).toBe(large);
});
