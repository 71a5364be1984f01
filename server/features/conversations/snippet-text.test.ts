import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fillSnippet, type SnippetValues, snippetPreview, snippetProblem, snippetVariables } from './snippet-text';

const ann: SnippetValues = {
  'customer.name': 'Ann Quark',
  'customer.firstName': 'Ann',
  'customer.email': 'ann@quark.example',
  'customer.company': null,
  'business.name': 'The Desk',
  'sender.name': ' ',
};

describe('a snippet', () => {
  test.each([
    ['Hello {{customer.firstName|there}},', 'Hello Ann,', []],
    ['Hello {{ customer.name }} of {{customer.company | your company}}', 'Hello Ann Quark of your company', []],
    ['{{customer.company}}{{sender.name}}!', '!', ['customer.company', 'sender.name']],
    ['{{customer.company|}}', '', ['customer.company']],
    ['{{customer.email}}, {{customer.email}}', 'ann@quark.example, ann@quark.example', []],
    ['A {single} brace', 'A {single} brace', []],
  ])('%j becomes %j', (text, filled, missing) => {
    expect(snippetProblem(text)).toBeNull();
    expect(fillSnippet(text, ann)).toEqual({ text: filled, missing });
  });

  test('is one line in a list', () => {
    expect(snippetPreview('Hello {{customer.firstName|there}},\n\nyour {{customer.email}} ')).toBe('Hello there, your …');
  });

  test.each([
    ['Hello {{custmer.name}}', 'has the unknown variable {{custmer.name}}'],
    ['Hello {{}}', 'has the unknown variable {{}}'],
    ['Hello {{customer.name}', 'has {{ without }}'],
    ['Hello customer.name}}', 'has {{ without }}'],
  ])('%j is refused', (text, problem) => {
    expect(snippetProblem(text)).toContain(problem);
  });

  test('keeps every text without variables, and writes a value as it is', () => {
    const plain = fc.string().filter((text) => !/[{}]/.test(text));
    fc.assert(
      fc.property(plain, plain, fc.constantFrom(...snippetVariables), fc.string(), (before, after, name, value) => {
        const { text } = fillSnippet(`${before}{{${name}}}${after}`, { ...ann, [name]: value });
        expect(text).toBe(`${before}${value.trim()}${after}`);
      }),
    );
  });
});
