import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readAmount, typedAmount } from './amount';

const readOf = (text: string) => {
  const read = readAmount(text);
  return read.kind === 'amount' ? read.value : read.kind;
};

describe('an amount', () => {
  test.each([
    ['12,50', 12.5],
    ['12.50', 12.5],
    ['12,5', 12.5],
    ['0,125', 0.125],
    ['0.125', 0.125],
    ['.5', 0.5],
    ['5,', 5],
    ['1250', 1250],
    ['1.250,00', 1250],
    ['1,250.00', 1250],
    ['1 250,00', 1250],
    ['1\u00a0250,00', 1250],
    ['1\u202f250,00', 1250],
    ["1'250.00", 1250],
    ['1’250.00', 1250],
    ['1 250', 1250],
    ['1 250,000', 1250],
    ['1.250.000', 1_250_000],
    ['1,250,000.5', 1_250_000.5],
    ['12,50,000', 1_250_000],
    ['12,50,000.75', 1_250_000.75],
    ['1,2500', 1.25],
    ['  49 ', 49],
    ['-12,50', -12.5],
    ['−3', -3],
    ['١٢٫٥٠', 12.5],
    ['１２．５０', 12.5],
  ])('%j is %d', (text, value) => expect(readOf(text)).toBe(value));

  test.each([
    'abc',
    '12 5',
    '1,25,0',
    '1.2.3',
    '1,250.00,5',
    '1.250,00.5',
    ',',
    '.',
    '12 50',
    '1e5',
    'Infinity',
    '€ 5',
    '1  250',
    '--5',
  ])('%j is none', (text) => expect(readOf(text)).toBe('invalid'));

  test('of nothing is nothing', () => expect([readOf(''), readOf('  ')]).toEqual(['empty', 'empty']));

  test('with one mark before three digits is asked about', () => {
    expect(readAmount('1,250')).toEqual({ kind: 'ambiguous', decimal: 1.25, grouped: 1250 });
    expect(readAmount('1.250')).toEqual({ kind: 'ambiguous', decimal: 1.25, grouped: 1250 });
    expect(readAmount('999.999')).toEqual({ kind: 'ambiguous', decimal: 999.999, grouped: 999_999 });
    expect(readAmount('-1,250')).toEqual({ kind: 'ambiguous', decimal: -1.25, grouped: -1250 });
  });
});

const locales = ['en-US', 'en-IN', 'de-DE', 'de-CH', 'fr-FR', 'sv-SE', 'pl-PL', 'pt-BR', 'ar-EG', 'fa-IR'];
const cents = fc.integer({ min: 0, max: 99_999_999_999 });

test('means the same however the marks are written', () => {
  fc.assert(
    fc.property(cents, (count) => {
      const value = count / 100;
      const [whole = '', fraction = ''] = value.toFixed(2).split('.');
      const grouped = (mark: string) => whole.replace(/\B(?=(\d{3})+$)/g, mark);
      for (const [mark, decimal] of [
        ['', '.'],
        ['', ','],
        [',', '.'],
        ['.', ','],
        [' ', ','],
        [' ', '.'],
        ["'", '.'],
      ] as const)
        expect(readOf(`${grouped(mark)}${decimal}${fraction}`)).toBe(value);
    }),
  );
});

test('is read as any locale writes it, with two decimals', () => {
  fc.assert(
    fc.property(cents, fc.constantFrom(...locales), (count, locale) => {
      const value = count / 100;
      const text = new Intl.NumberFormat(locale, { minimumFractionDigits: 2, maximumFractionDigits: 2 }).format(value);
      expect(readOf(text)).toBe(value);
    }),
  );
});

test('is never guessed: no text fails, and what is ambiguous is one digit group away', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[0-9., ']{0,12}$/), (text) => {
      const read = readAmount(text);
      if (read.kind === 'amount') expect(Number.isFinite(read.value)).toBe(true);
      if (read.kind === 'ambiguous') expect(read.decimal * 1000).toBeCloseTo(read.grouped, 6);
    }),
  );
});

test('stored amounts are shown as the viewer types them, and read back the same', () => {
  expect(typedAmount(12.5, 'EUR', 'de-DE')).toBe('12,50');
  expect(typedAmount(1250, 'EUR', 'en-US')).toBe('1250.00');
  expect(typedAmount(1250, 'JPY', 'en-US')).toBe('1250');
  expect(typedAmount(0.123_456_78, 'xx', 'en-US')).toBe('0.12345678');
  fc.assert(
    fc.property(cents, fc.constantFrom(...locales), (count, locale) => {
      expect(readOf(typedAmount(count / 100, 'EUR', locale))).toBe(count / 100);
    }),
  );
});
