/**
 * The words of a search, and where a text has them: for the database, for what is searched in memory, and for the browser, which
 * marks what was found.
 */

/** Words with this many letters may have a typing error; shorter ones are one error away from too much. */
const lettersForTypos = 4;

/** Longer words have none: what could stand there instead would be a very long pattern. In characters. */
const longestForTypos = 40;

/** The different words of a search in lower case, longest first; without those that a longer one contains. */
export function searchWords(search: string): string[] {
  const words = search
    .toLowerCase()
    .split(/\s+/)
    // A comma or semicolon ends a word, as in "Meyer, Ann".
    .map((word) => word.replace(/(?<=.)[,;]+$/, ''))
    .filter((word) => word !== '')
    .sort((a, b) => b.length - a.length);
  return words.filter((word, index) => !words.slice(0, index).some((longer) => longer.includes(word)));
}

/** True if a typing error is forgiven in a word, which has letters and digits only then. */
function mayHaveTypo(word: string): boolean {
  const letters = word.match(/\p{L}/gu)?.length ?? 0;
  return letters >= lettersForTypos && word.length <= longestForTypos && /^[\p{L}\p{N}]+$/u.test(word);
}

/** True if a typing error in one of the words is forgiven. */
export function mayHaveTypos(search: string): boolean {
  return searchWords(search).flatMap(partsOfWord).some(mayHaveTypo);
}

/** What is searched for a word if typing errors are forgiven: of an address, each name in it. */
export function partsOfWord(word: string): string[] {
  const parts = word.split(/[^\p{L}\p{N}]+/u).filter((part) => part !== '');
  return parts.some(mayHaveTypo) ? parts : [word];
}

/** How a dialect of regular expressions has one letter or digit, and the beginning and end of a word. */
export interface WordSyntax {
  anyCharacter: string;
  beginning: string;
  end: string;
}

/**
 * A regular expression for beginnings of words that are one typing error away from a word of letters and digits: a wrong, missing
 * or needless character, or two that changed places (the distance of Damerau and Levenshtein). With the error in the last
 * character, it has to be the whole word, since everything that begins like the others would match.
 *
 * Each error is tried behind the characters that are right so far, so that texts are compared fast.
 * @returns undefined for a word in which no error is forgiven
 */
export function typosOf(word: string, { anyCharacter, beginning, end }: WordSyntax): string | undefined {
  if (!mayHaveTypo(word)) return undefined;
  const characters = [...word];
  const from = (index: number) => characters.slice(index).join('');
  const orEnd = (index: number) => from(index) || end;
  const errorFrom = (index: number): string => {
    const [character = '', next] = characters.slice(index);
    const alternatives = [
      ...(next === undefined ? [] : [character + errorFrom(index + 1)]),
      anyCharacter + orEnd(index + 1),
      orEnd(index + 1),
      ...(index === 0 ? [] : [anyCharacter + from(index)]),
      ...(next === undefined || next === character ? [] : [next + character + from(index + 2)]),
    ];
    return `(?:${alternatives.join('|')})`;
  };
  return beginning + errorFrom(0);
}

/** A part of a text: from an index up to, and without, another one. */
export type TextRange = readonly [from: number, to: number];

const anyCharacter = '[\\p{L}\\p{N}_]';
const syntax: WordSyntax = { anyCharacter, beginning: `(?<!${anyCharacter})`, end: `(?!${anyCharacter})` };

/** The digits of a word that looks like a part of a phone number, without the zeros that come first in one's own country. */
export function phoneDigitsOf(word: string): string {
  return /^[-+()./\d]+$/.test(word) ? word.replace(/\D/g, '').replace(/^0+/, '') : '';
}

/** Finds words in texts. */
export interface TextFinder {
  /** True if each word is in one of the texts, at most one typing error away. */
  isIn(texts: readonly string[]): boolean;
  /** Finds the words that none of the texts has. */
  without(texts: readonly string[]): TextFinder;
  /** Where the text has one of the words, in order and apart from each other; exact ones where there are any. */
  rangesIn(text: string): TextRange[];
}

interface FindableWord {
  exact: RegExp;
  /** Its parts, each also with a typing error. */
  parts: RegExp[];
}

const literal = (text: string) => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');

function findableWord(word: string): FindableWord {
  const parts = partsOfWord(word).map((part) => {
    const typos = typosOf(part, syntax);
    return new RegExp(typos === undefined ? literal(part) : `${literal(part)}|${typos}`, 'giu');
  });
  return { exact: new RegExp(literal(word), 'giu'), parts };
}

/** Finds the words of a search. */
export function textFinder(search: string): TextFinder {
  return finderOf(searchWords(search).map(findableWord));
}

function finderOf(words: readonly FindableWord[]): TextFinder {
  const isIn = (texts: readonly string[], expression: RegExp) => texts.some((text) => text.search(expression) >= 0);
  const missing = (texts: readonly string[]) => words.filter(({ parts }) => !parts.every((part) => isIn(texts, part)));
  return {
    isIn: (texts) => missing(texts).length === 0,
    without: (texts) => finderOf(missing(texts)),
    rangesIn: (text) =>
      joinedRanges(
        words.flatMap(({ exact, parts }) => {
          const found = rangesOf(exact, text);
          return found.length > 0 ? found : parts.flatMap((part) => rangesOf(part, text));
        }),
      ),
  };
}

function rangesOf(expression: RegExp, text: string): TextRange[] {
  return Array.from(text.matchAll(expression), ({ index, 0: match }) => [index, index + match.length] as const);
}

/** Ranges in order, of which none overlaps or touches another one. */
function joinedRanges(ranges: readonly TextRange[]): TextRange[] {
  const joined: TextRange[] = [];
  for (const [from, to] of [...ranges].sort((a, b) => a[0] - b[0])) {
    const last = joined.at(-1);
    if (last && from <= last[1]) joined[joined.length - 1] = [last[0], Math.max(last[1], to)];
    else joined.push([from, to]);
  }
  return joined;
}
