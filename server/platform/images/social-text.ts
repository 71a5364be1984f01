import path from 'node:path';
import sharp from 'sharp';
import { oncePerProcess } from '../process-globals';

/**
 * Text as pixels. Geist comes with the product, so there need not be any fonts on the machine; scripts that it lacks are drawn in a
 * font of the system where one has them.
 */

export interface TextStyle {
  weight: 'Regular' | 'Medium' | 'SemiBold';
  /** In pixels. */
  size: number;
  /** As `#rrggbb`. */
  colour: string;
}

/** What the text covers, just as large as the ink is. */
export interface TextImage {
  width: number;
  height: number;
  /** PNG with alpha. */
  bytes: Buffer;
}

const fonts = path.resolve('node_modules/geist/dist/fonts/geist-sans');
/** Letters of these hold together; space between them would tear them apart. */
const cursive = /[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Mongolian}\p{Script=Devanagari}\p{Script=Bengali}]/u;

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&apos;' };

function markup(text: string, { size, colour }: TextStyle): string {
  const escaped = text.replace(/[&<>"']/g, (character) => escapes[character] ?? '');
  // Large letters stand a little closer. Pango counts in 1/1024 of a point, which is a pixel at 72 dpi; the line height has to be given
  // that way, as each font of a mixed text would bring its own.
  const spacing = size < 40 || cursive.test(text) ? 0 : Math.round(-0.022 * size * 1024);
  return `<span foreground="${colour}" letter_spacing="${spacing}" line_height="${Math.round(1.14 * size * 1024)}">${escaped}</span>`;
}

function rendering(text: string, style: TextStyle) {
  return sharp({
    text: {
      text: markup(text, style),
      font: `Geist ${style.weight} ${style.size}`,
      fontfile: path.join(fonts, `Geist-${style.weight}.ttf`),
      rgba: true,
      dpi: 72,
      wrap: 'none',
      align: 'left', // where the text starts: on the right for scripts that run from there
    },
  });
}

/** True for a text whose first letter is of a script that runs from right to left. */
export function isRightToLeft(text: string): boolean {
  const first = /\p{L}/u.exec(text)?.[0] ?? '';
  return /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u.test(first);
}

/** @param text plain, without control characters; line breaks are kept. Empty where there is no ink: null. */
export async function textImage(text: string, style: TextStyle): Promise<TextImage | null> {
  if (!/[^\s\p{Cf}\p{M}]/u.test(text)) return null;
  const { data, info } = await rendering(text, style).png({ compressionLevel: 1 }).toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, bytes: data };
}

/** How wide a text is drawn, in pixels; a space at its end counts. */
export async function textWidth(text: string, style: TextStyle): Promise<number> {
  const space = text.endsWith(' ') ? style.size * 0.26 : 0;
  if (!/[^\s\p{Cf}\p{M}]/u.test(text)) return space;
  const { width } = await rendering(text.trim(), style).metadata();
  return width + space;
}

/** The box with its code that a character without any font is drawn as: its sides, where all four are solid; null for a real letter. */
async function boxOf(character: string): Promise<string | null> {
  // Behind a blank, as a mark alone would stand on a dotted circle; small enough for plain spacing (see `markup`).
  const picture = rendering(`\u00a0${character}`, { weight: 'SemiBold', size: 36, colour: '#000000' });
  const { data, info } = await picture.raw().toBuffer({ resolveWithObject: true });
  const ink = (x: number, y: number) => (data[(y * info.width + x) * info.channels + 3] ?? 0) > 127;
  const rows = Array.from({ length: info.height }, (_, y) => y);
  const columns = Array.from({ length: info.width }, (_, x) => x);
  const inkedRows = rows.filter((y) => columns.some((x) => ink(x, y)));
  const inkedColumns = columns.filter((x) => rows.some((y) => ink(x, y)));
  const [top, bottom, left, right] = [inkedRows.at(0), inkedRows.at(-1), inkedColumns.at(0), inkedColumns.at(-1)];
  if (top === undefined || bottom === undefined || left === undefined || right === undefined) return null;
  const isFramed =
    inkedColumns.length === right - left + 1 &&
    inkedRows.length === bottom - top + 1 &&
    inkedColumns.every((x) => ink(x, top) && ink(x, bottom)) &&
    inkedRows.every((y) => ink(left, y) && ink(right, y));
  return isFramed ? `${right - left} × ${bottom - top}` : null;
}

/** Code points that never are characters, of four and of six digits: no font has them. */
const noncharacters = ['\ufdd0', '\u{10fffe}'];
const remembered = 5000;

/** True where neither Geist nor a font of the system has a character. */
async function isMissing(character: string): Promise<boolean> {
  const known = oncePerProcess('characters-without-font', () => new Map<string, boolean>());
  const before = known.get(character);
  if (before !== undefined) return before;
  const box = await boxOf(character);
  const missing = box !== null && (await Promise.all(noncharacters.map(boxOf))).includes(box);
  if (known.size >= remembered) known.clear();
  known.set(character, missing);
  return missing;
}

/** What Geist has or what is no ink: blanks, Latin letters, joiners, variation selectors. */
const alwaysDrawable = /[\s\u0020-\u017f\p{Cf}]|\p{Variation_Selector}/u;

/**
 * A text without the symbols and combining marks that no font on this machine has.
 *
 * @returns null where letters or digits are among them: half a title says something else than all of it
 */
export async function drawable(text: string): Promise<string | null> {
  let result = text;
  for (const character of new Set(text)) {
    if (alwaysDrawable.test(character) || !(await isMissing(character))) continue;
    if (/[\p{L}\p{N}]/u.test(character)) return null;
    result = result.replaceAll(character, '');
  }
  return result
    .replace(/(?:\u200c|\u200d|\ufe0e|\ufe0f)+(?=\s|$)/gu, '')
    .replace(/\s+/gu, ' ')
    .trim();
}
