/** A typed amount of money, parsed independently of the locale. */
export type ReadAmount =
  | { kind: 'empty' }
  | { kind: 'amount'; value: number }
  /** One separator before exactly three digits may be a decimal mark or separate thousands: "1,250". */
  | { kind: 'ambiguous'; decimal: number; grouped: number }
  | { kind: 'invalid' };

/** Spaces of all widths and the apostrophes of Swiss amounts only ever separate thousands. */
const groupingOnly = /[\s'’ʼ_]/g;

/** Converts Arabic and Persian digits and marks to ASCII; NFKC handles full-width ones. */
function toAscii(text: string): string {
  return text
    .normalize('NFKC')
    .replace(/[\u0660-\u0669\u06F0-\u06F9]/g, (digit) => String(digit.charCodeAt(0) & 0xf))
    .replaceAll('\u066B', '.')
    .replaceAll('\u066C', "'");
}

/** Groups of three, or the Indian groups of two before the last three: 1,250,000 and 12,50,000. */
function isGrouped(whole: string, mark: string): boolean {
  const [first = '', ...rest] = whole.split(mark);
  const last = rest.at(-1) ?? '';
  if (!/^[1-9]\d{0,2}$/.test(first) || last.length !== 3) return false;
  const inner = rest.slice(0, -1);
  return inner.every(({ length }) => length === 3) || (first.length <= 2 && inner.every(({ length }) => length === 2));
}

const amount = (text: string): ReadAmount => ({ kind: 'amount', value: Number(text) });

/** Parses an amount without thousands separators: digits and at most one decimal mark. */
function withDecimalMark(digits: string, mark: string): ReadAmount {
  const [whole = '', fraction = ''] = digits.split(mark);
  return amount(`${whole || '0'}.${fraction || '0'}`);
}

function readOneMark(digits: string, mark: string, hasGroups: boolean): ReadAmount {
  const parts = digits.split(mark);
  if (parts.length > 2) return !hasGroups && isGrouped(digits, mark) ? amount(parts.join('')) : { kind: 'invalid' };
  if (hasGroups || !isGrouped(digits, mark)) return withDecimalMark(digits, mark);
  return { kind: 'ambiguous', decimal: Number(parts.join('.')), grouped: Number(parts.join('')) };
}

function readTwoMarks(digits: string): ReadAmount {
  const decimalMark = digits.lastIndexOf(',') > digits.lastIndexOf('.') ? ',' : '.';
  const groupMark = decimalMark === ',' ? '.' : ',';
  const [whole = '', ...fractions] = digits.split(decimalMark);
  if (fractions.length !== 1 || !isGrouped(whole, groupMark)) return { kind: 'invalid' };
  return withDecimalMark(`${whole.replaceAll(groupMark, '')}.${fractions[0]}`, '.');
}

/**
 * Parses an amount with either decimal mark, and with thousands separated by points, commas, spaces or apostrophes: "12,50" and
 * "12.50" are both 12.5, and "1.250,00" is the same as "1,250.00", "1 250,00" and "1'250.00".
 *
 * @param text without a currency; a leading minus is parsed, so that the schema can report it
 */
export function readAmount(text: string): ReadAmount {
  const typed = toAscii(text)
    .trim()
    .replace(/^[\u2212-]\s*/, '-');
  if (typed === '') return { kind: 'empty' };
  const sign = typed.startsWith('-') ? -1 : 1;
  const unsigned = sign === -1 ? typed.slice(1) : typed;
  const digits = unsigned.replaceAll(groupingOnly, '');
  const hasGroups = digits !== unsigned;
  // A space between thousands is common; two, or one at the wrong position, are a typo: "12 5" is no amount.
  if (hasGroups && !/^\d{1,3}([\s'’ʼ_]\d{2,3})*[\s'’ʼ_]\d{3}([.,]\d*)?$/.test(unsigned)) return { kind: 'invalid' };
  if (!/^[\d.,]*\d[\d.,]*$/.test(digits)) return { kind: 'invalid' };
  const marks = [...new Set(digits.match(/[.,]/g) ?? [])];
  const read = marks.length === 2 ? readTwoMarks(digits) : marks[0] ? readOneMark(digits, marks[0], hasGroups) : amount(digits);
  if (sign === 1) return read;
  if (read.kind === 'amount') return amount(String(-read.value));
  return read.kind === 'ambiguous' ? { ...read, decimal: -read.decimal, grouped: -read.grouped } : read;
}

/**
 * Formats an amount as the viewer would type it: with their decimal mark, without thousands separators or currency, and with
 * all stored digits.
 */
export function typedAmount(value: number, currency: string, locale: string): string {
  return new Intl.NumberFormat(locale, {
    useGrouping: false,
    minimumFractionDigits: fractionDigits(currency),
    maximumFractionDigits: 20,
  }).format(value);
}

/** The number of decimals of a currency; two if it is unknown. */
function fractionDigits(currency: string): number {
  if (!/^[A-Za-z]{3}$/.test(currency)) return 2;
  return new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2;
}
