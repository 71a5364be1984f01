import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { blogPostLimits, slugPattern } from './blog-post.schema';
import { isNumbered, slugOfId, slugOfTitle } from './slug';

describe('slugOfTitle', () => {
  it.each([
    ['Hello World', 'hello-world'],
    ['  Ten  tips —  for wet brakes!  ', 'ten-tips-for-wet-brakes'],
    ['Ünïcödé façade', 'unicode-facade'],
    ['Cafe\u0301 cre\u0300me', 'cafe-creme'],
    ['Straße & Œuvre', 'strasse-oeuvre'],
    ['Don’t panic', 'dont-panic'],
    ['C++ vs. C#', 'c-vs-c'],
    ['Привет, мир', 'privet-mir'],
    ['Γειά σου', 'geia-soy'],
    ['2026: 50 % off', '2026-50-off'],
    ['Bikes 🚲 and 🇩🇪 trains', 'bikes-and-trains'],
    ['snake_case/and\\slashes', 'snake-case-and-slashes'],
  ])('%s → %s', (title, slug) => {
    expect(slugOfTitle(title)).toBe(slug);
  });

  it('writes other scripts in Latin letters', () => {
    expect(slugOfTitle('自転車の修理')).toMatch(slugPattern);
    expect(slugOfTitle('दो पहिया')).toMatch(slugPattern);
    expect(slugOfTitle('مرحبا')).toMatch(slugPattern);
  });

  it.each(['', '   ', '🎉🎉', '👩🏽‍🔧', '!!!', '— … ·', '\u200b'])('gives none for %j', (title) => {
    expect(slugOfTitle(title)).toBeNull();
  });

  it('ends long titles at a word', () => {
    expect(slugOfTitle(`${'word '.repeat(40)}end`)).toBe(Array(16).fill('word').join('-'));
    expect(slugOfTitle('x'.repeat(300))).toBe('x'.repeat(80));
  });

  it('is a valid slug for any title, and stays what it is when made again', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (title) => {
        const slug = slugOfTitle(title);
        if (slug === null) return;
        expect(slug).toMatch(slugPattern);
        expect(slug.length).toBeLessThan(blogPostLimits.slug);
        expect(slugOfTitle(slug)).toBe(slug);
      }),
    );
  });
});

it('makes a slug of an id', () => {
  expect(slugOfId('0199F3B2-6c1e-7a40-9a3e-0c1f2d3e4F50')).toBe('post-2d3e4f50');
});

it.each([
  ['hello', 'hello', true],
  ['hello-2', 'hello', true],
  ['hello-02', 'hello', false],
  ['hello-world', 'hello', false],
  ['hell', 'hello', false],
])('isNumbered(%s, %s) is %s', (slug, base, expected) => {
  expect(isNumbered(slug, base)).toBe(expected);
});
