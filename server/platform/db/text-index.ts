import { createHash } from 'node:crypto';
import { cutText } from '../text';

/**
 * The words of a text as PostgreSQL's full-text search has them (`tsvector`, `tsquery`), made here and not by its parser: that takes
 * addresses and file names for one word, needs a language, and knows none that is written without spaces.
 *
 * Words are in lower case and without accents. Each begins with a mark of its owner, so that an index has the words of one owner side by
 * side, and searching for beginnings of words does not read those of others.
 */

/** Kinds of text within a record, as PostgreSQL calls them. */
export type Weight = 'A' | 'B' | 'C' | 'D';

/** Longer words are cut, in UTF-16 code units: they are encoded data. */
const longestWord = 64;

/** PostgreSQL keeps no more positions of a word, and no higher ones. */
const [positionsMaximum, highestPosition] = [255, 16_383];

/** How much of each text is found, in UTF-16 code units: in any script, no longer than a message may hold the event loop. */
export const longestText = 100_000;

/** Different words of a record that are found. */
const wordsMaximum = 10_000;

/** Bytes that the words and positions of a record take; PostgreSQL takes at most 1 MiB. */
const bytesMaximum = 700_000;

/** Between two texts, so that no phrase reaches from one into the other. */
const gap = 10;

/** Scripts without spaces between words: each character is a word. */
const spaceless =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/gu;

/** The words of a text, or of its beginning, in its order. */
export function wordsOfText(text: string): string[] {
  // Cut twice: one character may stand for eighteen.
  const letters = cutText(cutText(text, longestText).normalize('NFKD'), longestText);
  const plain = letters.replace(/\p{M}/gu, '').toLowerCase().replaceAll('ß', 'ss').replace(spaceless, ' $& ');
  const words = plain.match(/[\p{L}\p{N}]+|\p{Extended_Pictographic}/gu) ?? [];
  return words.map((word) => (word.length > longestWord ? cutText(word, longestWord) : word));
}

/** What the words of an owner begin with: four characters, none of which is special in a vector or a query. */
export function markOf(ownerId: string): string {
  return createHash('sha256').update(ownerId).digest('base64url').slice(0, 4);
}

interface VectorInput {
  /** The texts, by their kind. */
  texts: Partial<Record<Weight, readonly string[]>>;
  /** What is true of the record, such as `attachment`. */
  flags?: readonly string[];
}

/** The text of a `tsvector`. */
export function textVector(ownerId: string, { texts, flags = [] }: VectorInput): string {
  const mark = markOf(ownerId);
  const places = new Map<string, string[]>();
  let [position, bytes] = [0, 0];
  const add = (word: string, place: string) => {
    const known = places.get(word);
    if (known ? known.length >= positionsMaximum : places.size >= wordsMaximum) return;
    bytes += known ? 2 : mark.length + Buffer.byteLength(word) + 8;
    if (bytes > bytesMaximum) return;
    if (known) known.push(place);
    else places.set(word, [place]);
  };
  for (const [weight, parts = []] of Object.entries(texts)) {
    for (const part of parts) {
      for (const word of wordsOfText(part)) {
        position += 1;
        add(word, `${Math.min(position, highestPosition)}${weight}`);
      }
      position += gap;
    }
  }
  const words = Array.from(places, ([word, at]) => `'${mark}${word}':${at.join(',')}`);
  return [...words, ...flags.map((flag) => `'${mark} ${flag}'`)].join(' ');
}

/** Something to look for. */
export interface TextCondition {
  /** Words that follow one another; no record has none. */
  words: readonly string[];
  /** Finds what begins with the last word, too. */
  isPrefix?: boolean;
  /** Looks in texts of these kinds only. */
  weights?: readonly Weight[];
  isNegated?: boolean;
}

/** Beginnings shorter than this are words as a whole: too much begins with them. In characters. */
const shortestPrefix = 3;

/** The text of a `tsquery` that each condition and flag is true for. */
export function textQuery(ownerId: string, conditions: readonly TextCondition[], flags: readonly string[] = []): string {
  const mark = markOf(ownerId);
  const terms = conditions.map(({ words, isPrefix = false, weights = [], isNegated = false }) => {
    const nothing = `'${mark} '`;
    const phrase = words.map((word, index) => {
      const begins = isPrefix && index === words.length - 1 && [...word].length >= shortestPrefix;
      const options = `${begins ? '*' : ''}${weights.join('')}`;
      return `'${mark}${word}'${options === '' ? '' : `:${options}`}`;
    });
    return `${isNegated ? '!' : ''}(${phrase.join(' <-> ') || nothing})`;
  });
  return [...terms, ...flags.map((flag) => `'${mark} ${flag}'`)].join(' & ');
}
