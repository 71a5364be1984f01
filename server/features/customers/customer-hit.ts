import { phoneDigitsOf, searchWords, type TextFinder } from '@/server/platform/search-words';
import type { CustomerRecord } from './customer.schema';

/** Where a search has found a customer, for lists that show only some of its fields. */
export interface CustomerHit {
  /** The field's name; empty for a contact. */
  label: string;
  text: string;
}

/** Characters of a long text before what was found in it; a row has little room. */
const before = 8;

/** Characters of a customer that are looked at: typing errors in long texts take a while. */
const lookedAt = 4_000;

/** A text from shortly before the first match; undefined without one. */
function excerptOf(text: string, finder: TextFinder): string | undefined {
  const [first] = finder.rangesIn(text);
  if (!first) return undefined;
  const start = first[0] <= before ? 0 : text.lastIndexOf(' ', first[0] - before) + 1;
  return `${start > 0 ? '…' : ''}${text.slice(start, start + 200).replace(/\s+/g, ' ')}`;
}

/** Names and values of custom fields, also of those within others. */
function fieldsIn(value: unknown, name = ''): CustomerHit[] {
  if (typeof value === 'string' || typeof value === 'number') return [{ label: name, text: String(value) }];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, part]) => fieldsIn(part, Array.isArray(value) ? name : key));
}

function hasPhone(search: string, phone: string): boolean {
  const digits = phone.replace(/\D/g, '');
  return searchWords(search).some((word) => phoneDigitsOf(word) !== '' && digits.includes(phoneDigitsOf(word)));
}

/**
 * The first field beside those that are shown that has a word of the search; undefined if what is shown has them all.
 * @param shown the texts that are shown of the customer
 */
export function customerHit(
  customer: CustomerRecord,
  { search, finder, shown }: { search: string; finder: TextFinder; shown: readonly string[] },
): CustomerHit | undefined {
  if (search.trim() === '' || finder.isIn(shown)) return undefined;
  if (hasPhone(search, customer.phone)) return { label: 'Phone', text: customer.phone };
  const wanted = finder.without(shown);
  const others = [
    ...customer.contacts.flatMap(({ displayName, email }) => [displayName, email]).map((text) => ({ label: '', text })),
    ...customer.tags.map((text) => ({ label: 'Tag', text })),
    { label: 'Phone', text: customer.phone },
    ...fieldsIn(customer.metadata),
    { label: 'Notes', text: customer.notes },
  ];
  let left = lookedAt;
  for (const { label, text } of others) {
    const excerpt = excerptOf(text.slice(0, left), wanted);
    if (excerpt !== undefined) return { label, text: excerpt };
    left = Math.max(0, left - text.length);
  }
  return undefined;
}
