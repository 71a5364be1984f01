/** Turns a title into lines for a picture of it. Widths are given in any one unit. */

/** Scripts that are written without spaces; a line may end between their words. */
const spaceless =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const closing = /^[\p{Pe}\p{Pf}\p{Po}ー々]/u;
const opening = /[\p{Ps}\p{Pi}]$/u;
const words = new Intl.Segmenter('en', { granularity: 'word' });
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/**
 * Text of a user as one line that a text renderer can take: no control or formatting characters but those that join letters and emoji,
 * no towers of combining marks, at most `maximumGraphemes` characters.
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

/** Splits a line where it may be broken; a piece keeps the space that follows it. */
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

/** A piece that is wider than a line, in parts that are not; `width` is that of the whole. */
export function partsOf(piece: string, width: number, maximum: number): string[] {
  if (width <= maximum) return [piece];
  const characters = Array.from(graphemes.segment(piece), ({ segment }) => segment);
  // Letters differ in width; a tenth less than fits on average fits in all but odd cases.
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

/** A line with an ellipsis, without the words at its end that leave no room for one. Of a single long word, the end is cut. */
function cut(line: Line, maximum: number, ellipsis: number): string {
  const kept = [...line];
  const width = () => kept.reduce((sum, piece) => sum + piece.width, ellipsis);
  while (kept.length > 1 && width() > maximum) kept.pop();
  const text = textOf(kept).replace(/[\s\p{Pd}\p{Po}\p{Ps}]+$/u, '');
  return `${width() > maximum ? text.slice(0, -3) : text}…`;
}

/**
 * Fills as few lines as the pieces need, then makes them about equally long. What goes beyond `maximumLines` gives way to an ellipsis, which
 * is `ellipsis` wide.
 *
 * @returns the lines, and whether all of the text is in them
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
