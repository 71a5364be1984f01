import { describe, expect, it } from 'vitest';
import {
  commonLanguages,
  languageEffect,
  languageName,
  languageOf,
  languageSchema,
  otherLanguage,
  toLanguageValues,
} from './blog-languages';

it('offers tags as they are stored', () => {
  const tags = commonLanguages.map(({ value }) => value);
  expect(Intl.getCanonicalLocales(tags)).toEqual(tags);
});

it.each(['de', 'pt-BR', 'ga', 'sr-Latn'])('shows %s and hands it back unchanged', (tag) => {
  expect(languageOf(toLanguageValues(tag))).toBe(tag);
});

describe('a typed tag', () => {
  const problem = (tag: string) =>
    languageSchema.safeParse({ choice: otherLanguage, tag }).error?.issues.map(({ path, message }) => [path.join('.'), message]);

  it('may be any that is well formed, however it is spaced and spelled', () => {
    expect([problem(' de-ch '), problem('gsw'), problem('SR-latn')]).toEqual([undefined, undefined, undefined]);
  });

  it.each(['', '  ', 'de_CH', 'english!', 'a'.repeat(60)])('is refused at its field where it is none: “%s”', (tag) => {
    expect(problem(tag)).toEqual([['tag', 'must be a language tag such as en, de or pt-BR']]);
  });

  it('does not count where a language was chosen', () => {
    expect(languageSchema.safeParse({ choice: 'de', tag: '!' }).success).toBe(true);
  });
});

it('says what a language does to the public pages', () => {
  expect(languageEffect('pt-BR')).toMatch(/blog labels\.$/);
  expect(languageEffect('ja')).toMatch(/English/);
  expect(languageEffect('!')).toBe('');
});

it('names a tag that is being typed, once it is one', () => {
  expect([languageName('gsw'), languageName('de-'), languageName('')]).toEqual(['Swiss German', '', '']);
});
