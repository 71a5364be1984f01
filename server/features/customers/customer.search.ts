import {
  type FilteredList,
  listRanked,
  type RankedList,
  type RankedPosition,
  type RankedRow,
} from '@/server/platform/db/filtered-list';
import { hasWord, type WordParameters, wordParameters, wordsOf } from '@/server/platform/db/word-search';
import { type ListPosition, rankedPositionOf, rankText } from '@/server/platform/list-cursor';
import { mayHaveTypos, phoneDigitsOf } from '@/server/platform/search-words';
import { type CustomerRow, customerColumns } from './customer.queries';

/**
 * Customers by words in any of their fields, best match first, then newest. Those that match exactly come first; where they are
 * few, those follow that do with a typing error.
 */

/** Where fewer customers than this match exactly, typing errors are forgiven. */
const typosBelow = 10;

/** Statements for more words are hardly ever repeated. */
const repeatedWords = 3;

/** A search among some of an identity's customers, whose id is `$1`. */
export interface CustomerSearch {
  text: string;
  /** The conditions that hold beside it, such as a tag, and their values. */
  always: readonly string[];
  values: readonly unknown[];
  list: Pick<FilteredList, 'table' | 'alias' | 'time' | 'scope' | 'size'>;
}

/** In the searched text, a tab begins the digits of the phone. */
function phonePattern(word: string): string | undefined {
  const digits = phoneDigitsOf(word);
  return digits === '' || digits === word ? undefined : `\n\t[0-9]*${digits}`;
}

/** How well a customer matches a word: by the field that has it, and whether it has exactly that word, or its digits. */
function scoreOf({ pattern, expression, halves }: WordParameters): string {
  const withoutNotes = 'left(c.search_text, length(c.search_text) - length(c.notes))';
  const exact = `CASE WHEN ' ' || c.company ILIKE '% ' || substr(${pattern}, 2) THEN 12 WHEN c.company ILIKE ${pattern} THEN 10
    WHEN ${withoutNotes} LIKE ${pattern}`;
  if (expression === undefined) return `${exact} THEN 8 ELSE 4 END`;
  if (halves === undefined) return `${exact} OR ${withoutNotes} ~ ${expression} THEN 8 ELSE 4 END`;
  return `${exact} THEN 8 WHEN c.notes ILIKE ${pattern} THEN 4 WHEN ${withoutNotes} ~ ${expression} THEN 2 ELSE 1 END`;
}

/** The customers that match exactly, or those that only do if a typing error is forgiven. */
function listOf({ text, list, always, values: before }: CustomerSearch, group: SearchGroup): RankedList {
  const options = { alternativeTo: phonePattern };
  const values = [...before];
  const parameter = (value: unknown) => `$${values.push(value)}`;
  const exact = wordsOf(text, options);
  const words = group === 'exact' ? exact : wordsOf(text, { ...options, isForgiving: true });
  const named = words.map((word) => wordParameters(word, parameter));
  const conditions = [...always, ...named.map((word) => hasWord('c.search_text', word, 'lower case'))];
  if (group === 'mistyped') {
    const known = exact.map((word) => hasWord('c.search_text', wordParameters(word, parameter), 'lower case'));
    conditions.push(`NOT (${known.join(' AND ')})`);
  }
  return {
    ...list,
    columns: customerColumns,
    filter: conditions.join(' AND '),
    score: named.map(scoreOf).join(' + '),
    isIndexed: always.length > 0 || words.some(({ isIndexed }) => isIndexed),
    // To compare all texts of a long list takes seconds.
    isBounded: group === 'mistyped',
    values,
    isRepeated: words.length <= repeatedWords,
  };
}

/** Customers that match exactly, and those that do with a typing error. */
type SearchGroup = 'exact' | 'mistyped';

/** Behind a customer of a search. */
export interface SearchPosition extends RankedPosition {
  group: SearchGroup;
}

export interface CustomerSearchPage {
  page: RankedRow<CustomerRow>[];
  /** Counted up to a thousand, and one. */
  matches: number;
  hasMore: boolean;
  /** The group of the page's last customer. */
  group: SearchGroup;
}

/** @returns undefined for a search too short for a list as long as this */
export async function searchCustomers(
  search: CustomerSearch,
  { limit, offset, position }: { limit: number; offset: number; position: SearchPosition | undefined },
): Promise<CustomerSearchPage | undefined> {
  const find = (group: SearchGroup, page: { limit: number; offset: number; position?: SearchPosition | undefined }) =>
    listRanked<CustomerRow>(listOf(search, group), page);
  if (position?.group === 'mistyped') {
    const found = await find('mistyped', { limit, offset, position });
    return found && { ...found, group: 'mistyped' };
  }
  const exact = await find('exact', { limit, offset, position });
  if (!exact || (position && exact.hasMore) || !mayHaveTypos(search.text)) return exact && { ...exact, group: 'exact' };
  // How many match exactly is known from a first page, or where they end.
  const known = position ? position.before + exact.page.length : exact.matches;
  if (known >= typosBelow) return { ...exact, group: 'exact' };
  const others = await find('mistyped', {
    limit: limit - exact.page.length,
    offset: position ? 0 : Math.max(0, offset - known),
  });
  if (!others) return { ...exact, group: 'exact' };
  return {
    page: [...exact.page, ...others.page],
    matches: position?.matches ?? known + others.matches,
    hasMore: exact.hasMore || others.hasMore,
    group: others.page.length > 0 ? 'mistyped' : 'exact',
  };
}

/** The position behind the last customer of a page, as a part of a cursor. */
export function positionText({ group, page }: CustomerSearchPage): string {
  const last = page.at(-1);
  return last ? `${group} ${rankText({ score: last.score, time: last.created_at })}` : '';
}

/** The position of a cursor. @throws AppError invalid_request for one that is not of a search */
export function searchPositionOf({ after: [text, id], ...counts }: ListPosition): SearchPosition {
  const [, group, rank = ''] = /^(exact|mistyped) (.+)$/.exec(text) ?? [];
  return { ...rankedPositionOf({ ...counts, after: [rank, id] }), group: group as SearchGroup };
}
