/** Breaks a title into lines for an image. All widths use the same unit. */

/** Scripts without spaces; lines may break between their words. */
const spaceless =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const closing = /^[\p{Pe}\p{Pf}\p{Po}ー々]/u;
const opening = /[\p{Ps}\p{Pi}]$/u;
const words = new Intl.Segmenter('en', { granularity: 'word' });
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/**
 * User text as one line for the text renderer: no control or formatting characters except those that join letters and emoji, no
 * stacks of combining marks, at most `maximumGraphemes` characters.
 */
export function plainLine(text: string, maximumGraphemes = 300): string {
  const line = text
    .slice(0, maximumGraphemes * 20)
    .toWellFormed()
    .normalize('NFC')
    .replace(/\s+/gu, ' ')
    .replace(/(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Cn}\ufffc\ufffd]/gu, '')
    .replace(/(\p{M}{2})\p{M}+/gu, '$1')
    .trim();
  return Array.from(graphemes.segment(line), ({ segment }) => segment)
    .slice(0, maximumGraphemes)
    .join('');
}

/** Splits a line at its break opportunities; a piece keeps its trailing space. */
export function breakable(line: string): string[] {
  const pieces: string[] = [];
  for (const { segment } of words.segment(line)) {
    const previous = pieces.at(-1);
    const mayBreak =
      previous === undefined ||
      (/[\s\-–—/]$/u.test(previous) && segment !== ' ') ||
      ((spaceless.test(segment) || spaceless.test(previous.slice(-1))) &&
        !closing.test(segment) &&
        !opening.test(previous) &&
        segment !== ' ');
    if (mayBreak) pieces.push(segment);
    else pieces[pieces.length - 1] += segment;
  }
  return pieces;
}

/** Splits a piece of `width` that is wider than a line into parts that fit. */
export function partsOf(piece: string, width: number, maximum: number): string[] {
  if (width <= maximum) return [piece];
  const characters = Array.from(graphemes.segment(piece), ({ segment }) => segment);
  // Letters differ in width; a tenth less than the average fits in almost all cases.
  const length = Math.max(1, Math.floor((characters.length * maximum * 0.9) / width));
  const count = Math.ceil(characters.length / length);
  return Array.from({ length: count }, (_, index) => characters.slice(index * length, (index + 1) * length).join(''));
}

export interface Piece {
  text: string;
  width: number;
}

type Line = [Piece, ...Piece[]];

function fill(pieces: readonly Piece[], maximum: number): Line[] {
  const lines: Line[] = [];
  let room = 0;
  for (const piece of pieces) {
    const line = lines.at(-1);
    if (line && piece.width <= room) line.push(piece);
    else {
      lines.push([piece]);
      room = maximum;
    }
    room -= piece.width;
  }
  return lines;
}

function textOf(line: readonly Piece[]): string {
  return line
    .map(({ text }) => text)
    .join('')
    .trim();
}

/** Truncates a line with an ellipsis, at a word or within a single long word. */
function cut(line: Line, maximum: number, ellipsis: number): string {
  const kept = [...line];
  const width = () => kept.reduce((sum, piece) => sum + piece.width, ellipsis);
  while (kept.length > 1 && width() > maximum) kept.pop();
  const text = textOf(kept).replace(/[\s\p{Pd}\p{Po}\p{Ps}]+$/u, '');
  return `${width() > maximum ? text.slice(0, -3) : text}…`;
}

/**
 * Fills as few lines as possible, then balances their lengths. Text beyond `maximumLines` is replaced by an ellipsis of width
 * `ellipsis`.
 * @returns the lines, and whether they contain all of the text
 */
export function balancedLines(
  pieces: readonly Piece[],
  { maximum, maximumLines, ellipsis }: { maximum: number; maximumLines: number; ellipsis: number },
): { lines: string[]; isWhole: boolean } {
  const filled = fill(pieces, maximum);
  const last = filled[maximumLines - 1];
  if (last && filled.length > maximumLines) {
    const lines = [...filled.slice(0, maximumLines - 1).map(textOf), cut(last, maximum, ellipsis)];
    return { lines, isWhole: false };
  }
  let [narrow, wide] = [0, maximum];
  while (wide - narrow > 1) {
    const middle = (narrow + wide) / 2;
    if (fill(pieces, middle).length > filled.length) narrow = middle;
    else wide = middle;
  }
  return { lines: fill(pieces, wide).map(textOf), isWhole: true };
}
