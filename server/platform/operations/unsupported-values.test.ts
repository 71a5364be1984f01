import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findUnsupportedValues } from './unsupported-values';

/** Parsed from JSON text, which can contain values that a literal can't. */
function inJson(text: string) {
  return findUnsupportedValues(JSON.parse(text));
}

describe('what can be stored', () => {
  test('any JSON of ordinary text and exact numbers passes', () => {
    const text = fc.string({ unit: 'grapheme' }).filter((value) => !value.includes('\0'));
    const key = text.filter((value) => value !== '__proto__');
    const number = fc.oneof(fc.maxSafeInteger(), fc.double({ min: -1e15, max: 1e15, noNaN: true }));
    const { tree } = fc.letrec((tie) => ({
      tree: fc.oneof(
        { depthSize: 'small' },
        fc.constantFrom(null, true, false),
        text,
        number,
        fc.array(tie('tree')),
        fc.dictionary(key, tie('tree')),
      ),
    }));
    fc.assert(
      fc.property(tree, (value) => {
        expect(findUnsupportedValues(value)).toBeUndefined();
      }),
    );
  });

  test.each([
    '"😀"',
    '"\\ud83d\\ude00"',
    '9007199254740991',
    '-9007199254740991',
    '0.1',
    '5e-324',
    '-0',
    '{"constructor":1,"toString":{}}',
  ])('%s passes', (text) => {
    expect(inJson(`{"value":${text}}`)).toBeUndefined();
  });

  test('input that is not an object at all passes: schemas judge that', () => {
    for (const value of [undefined, null, true, 'text', 5]) expect(findUnsupportedValues(value)).toBeUndefined();
  });
});

describe('what can not be stored is named by its path', () => {
  test.each([
    ['a NUL character', '"a\\u0000b"', 'must not contain a NUL character'],
    ['a lone high surrogate', '"a\\ud800"', 'must not contain an unpaired surrogate'],
    ['a high surrogate before another character', '"\\ud83dx"', 'must not contain an unpaired surrogate'],
    ['a lone low surrogate', '"\\udc00a"', 'must not contain an unpaired surrogate'],
    ['surrogates the wrong way around', '"\\ude00\\ud83d"', 'must not contain an unpaired surrogate'],
    ['a number beyond double precision', '1e400', 'is a larger number than can be kept exactly'],
    ['the same, negative', '-1e400', 'is a larger number than can be kept exactly'],
    ['an integer beyond exactness', '9007199254740992', 'is a larger number than can be kept exactly'],
    ['a large power of ten', '1e21', 'is a larger number than can be kept exactly'],
  ])('%s', (_, text, why) => {
    expect(inJson(`{"a":{"b":[0,${text}]}}`)).toEqual({ 'a.b.1': why });
    expect(inJson(`{"a":${text}}`)).toEqual({ a: why });
  });

  test('all of them at once', () => {
    expect(Object.keys(inJson('{"a":"\\u0000","b":["\\ud800",1e400],"c":"fine"}') ?? {}).sort()).toEqual(['a', 'b.0', 'b.1']);
  });

  test('in keys', () => {
    expect(inJson('{"metadata":{"\\ud800":1}}')).toEqual({ 'metadata.\ufffd': 'must not contain an unpaired surrogate' });
    const nul = inJson('{"metadata":{"a\\u0000":1}}') ?? {};
    expect(Object.values(nul)).toEqual(['must not contain a NUL character']);
    expect(JSON.stringify(nul)).not.toContain('\\u0000');
  });

  test('the key that would set a prototype, on every level', () => {
    expect(inJson('{"metadata":{"__proto__":{"admin":true}}}')).toEqual({ 'metadata.__proto__': 'is a reserved name' });
    expect(Object.entries(inJson('{"__proto__":{"admin":true}}') ?? {})).toEqual([['__proto__', 'is a reserved name']]);
  });

  test('nesting: 64 levels, the body itself among them, are fine; 65 are not', () => {
    const below = (levels: number) => `{"a":${'['.repeat(levels)}${']'.repeat(levels)}}`;
    expect(inJson(below(63))).toBeUndefined();
    expect(Object.values(inJson(below(64)) ?? {})).toEqual(['is nested more than 64 levels deep']);
  });

  test('a body of nothing but mistakes is not answered with all of them', () => {
    const fields = inJson(`{"tags":[${'"\\u0000",'.repeat(100_000)}0]}`) ?? {};
    expect(Object.keys(fields).length).toBeGreaterThan(0);
    expect(JSON.stringify(fields).length).toBeLessThan(10_000);
  });

  test('nesting as deep as a megabyte allows neither overflows the stack nor answers with a path as long', () => {
    const levels = 500_000;
    const fields = inJson(`{"a":${'['.repeat(levels)}${']'.repeat(levels)}}`) ?? {};
    expect(Object.keys(fields)).toHaveLength(1);
    expect(JSON.stringify(fields).length).toBeLessThan(1_000);
  });
});
