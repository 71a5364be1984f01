import { describe, expect, it } from 'vitest';
import { dictionary, type Plural } from './labels';
import type { SiteService } from './site';
import { siteLocale } from './site-locale';

const languages = Object.keys(dictionary) as (keyof typeof dictionary)[];
const places = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(([place]) => place).sort();
const texts = (entry: string | Plural) => (typeof entry === 'string' ? [entry] : Object.values(entry));

describe.each(languages)('words in %s', (language) => {
  const labels = dictionary[language];

  it('are complete, with the same places to fill as in English', () => {
    expect(Object.keys(labels).sort()).toEqual(Object.keys(dictionary.en).sort());
    for (const [key, entry] of Object.entries(labels)) {
      const wanted = places(texts(dictionary.en[key as keyof typeof labels])[0] ?? '');
      for (const text of texts(entry)) {
        expect(text.trim()).toBe(text);
        expect(text).not.toBe('');
        expect(places(text), key).toEqual(wanted);
      }
    }
  });

  it('have a form for every number their grammar tells apart', () => {
    const categories = new Intl.PluralRules(language).resolvedOptions().pluralCategories;
    expect(Object.keys(labels.posts).sort()).toEqual([...categories].sort());
  });
});

describe('speech', () => {
  const service = (changes: Partial<SiteService>): SiteService => ({
    name: 'x',
    description: '',
    price: 1249.5,
    currency: 'EUR',
    billingInterval: 'monthly',
    ...changes,
  });
  const plain = (text: string | null) => text?.replace(/[\u00a0\u202f]/g, ' ');

  it('counts', () => {
    const { count, labels } = siteLocale('de');
    expect([0, 1, 1200].map((number) => count(labels.posts, number))).toEqual(['0 Beiträge', '1 Beitrag', '1.200 Beiträge']);
    expect(siteLocale('fr').count(dictionary.fr.posts, 0)).toBe('0 article');
  });

  it.each([
    ['en', {}, '€1,249.50 per month'],
    ['de', {}, '1.249,50 € pro Monat'],
    ['fr', { billingInterval: 'yearly' as const }, '1 249,50 € par an'],
    ['en', { price: 89, billingInterval: 'one-time' as const }, '€89 one-time'],
    ['en', { price: 89, billingInterval: null }, '€89'],
    ['it', { price: 0 }, 'Gratis'],
    ['en', { price: 5, currency: '?', billingInterval: null }, '5 ?'],
    ['en', { price: null }, undefined],
  ])('names a price in %s: %j', (language, changes, said) => {
    expect(plain(siteLocale(language).price(service(changes)))).toBe(said);
  });

  it('tells days in UTC', () => {
    expect(siteLocale('en').date('2026-11-18T23:59:59.999Z')).toBe('November 18, 2026');
    expect(siteLocale('pt-BR').date('2026-11-18T00:00:00.000Z')).toBe('18 de novembro de 2026');
  });

  it.each([
    ['he', 'rtl'],
    ['fa-IR', 'rtl'],
    ['ur', 'rtl'],
    ['ja', 'ltr'],
    ['uz-Arab', 'rtl'],
    ['ar-Latn', 'ltr'],
  ])('knows that %s runs %s', (language, direction) => {
    expect(siteLocale(language).direction).toBe(direction);
  });
});
