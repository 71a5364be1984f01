import { partsOfWord, searchWords, typosOf, type WordSyntax } from '../search-words';
import { hasTrigram } from './filtered-list';
import { escapeLike } from './sql';

/** Conditions of SQL for a search by words. Each is found on its own, so that their order and place don't matter. */

/** One word in lower case, as what is compared with a text. */
export interface SearchWord {
  /** A pattern for LIKE. */
  pattern: string;
  /** A regular expression for what may stand there instead. */
  expression: string | undefined;
  /** Patterns of which one matches what either of them does: a regular expression is slow, and few texts have to be compared. */
  halves: string[] | undefined;
  /** True if a trigram index supports it. */
  isIndexed: boolean;
}

/** What a list is asked for by those that search all kinds of records. */
export interface WordFilter {
  /** Words that each record has to have. */
  words?: readonly SearchWord[];
}

const syntax: WordSyntax = { anyCharacter: '\\w', beginning: '\\m', end: '\\M' };

/** Letters or digits for a trigram, wherever in a word they are. */
const hasThreeInARow = (text: string) => /[\p{L}\p{N}]{3}/u.test(text);

const containing = (text: string) => `%${escapeLike(text)}%`;

interface WordOptions {
  /** Finds what is one typing error away from a word, too, at the beginning of words. */
  isForgiving?: boolean;
  /** A regular expression for something else that stands for a word, such as its digits for a phone. */
  alternativeTo?: (word: string) => string | undefined;
}

/** The words of a search. */
export function wordsOf(
  search: string,
  { isForgiving = false, alternativeTo = () => undefined }: WordOptions = {},
): SearchWord[] {
  const words = searchWords(search);
  return (isForgiving ? [...new Set(words.flatMap(partsOfWord))] : words).map((word) => {
    const typos = isForgiving ? typosOf(word, syntax) : undefined;
    if (typos) {
      const halves = halvesOf(word);
      return { pattern: containing(word), expression: typos, halves, isIndexed: halves.every(hasThreeInARow) };
    }
    const expression = alternativeTo(word);
    const isIndexed = hasTrigram(word) && (expression === undefined || hasThreeInARow(expression));
    return { pattern: containing(word), expression, halves: undefined, isIndexed };
  });
}

/** A typing error leaves one half of a word as it is, except for two characters that changed places in its middle. */
function halvesOf(word: string): string[] {
  const characters = [...word];
  const middle = Math.floor(characters.length / 2);
  const [first, second] = [characters.slice(0, middle), characters.slice(middle)];
  const exchanged = [...first.slice(0, -1), second[0], first.at(-1), ...second.slice(1)];
  return [first, second, exchanged].map((half) => containing(half.join('')));
}

/** A word as parameters of a statement. */
export interface WordParameters extends Pick<SearchWord, 'pattern' | 'expression'> {
  halves: string | undefined;
  /** True if an index should be used for the halves. */
  hasLongHalves: boolean;
}

/** Adds a value to a statement, and gives its name there. */
type Parameter = (value: string) => string;

export function wordParameters({ pattern, expression, halves }: SearchWord, parameter: Parameter): WordParameters {
  return {
    pattern: `${parameter(pattern)}::text`,
    expression: expression === undefined ? undefined : `${parameter(expression)}::text`,
    // Written out, so that the planner knows that there are three, and compares them before what takes longer.
    halves: halves && `ARRAY[${halves.map((half) => `${parameter(half)}::text`).join(', ')}]`,
    hasLongHalves: halves?.every(hasThreeInARow) ?? false,
  };
}

const operators = {
  'lower case': ['LIKE', '~'],
  'any case': ['ILIKE', '~*'],
} as const;

/** The condition that a text has a word. */
export function hasWord(text: string, word: WordParameters, textIs: keyof typeof operators): string {
  const { pattern, expression, halves, hasLongHalves } = word;
  const [like, matches] = operators[textIs];
  const exact = `${text} ${like} ${pattern}`;
  if (expression === undefined) return exact;
  const either = `(${exact} OR ${text} ${matches} ${expression})`;
  // The index of a text does not support another text, even if that is the same.
  return halves === undefined ? either : `(${hasLongHalves ? text : `(${text} || '')`} ${like} ANY (${halves}) AND ${either})`;
}

/** The condition that each word is in one of the texts, ignoring case. */
export function hasWords(texts: readonly string[], words: readonly SearchWord[], parameter: Parameter): string {
  return words
    .map((word) => wordParameters(word, parameter))
    .map((word) => `(${texts.map((text) => hasWord(text, word, 'any case')).join(' OR ')})`)
    .join(' AND ');
}
