import path from 'node:path';
import sharp from 'sharp';
import { oncePerProcess } from '../process-globals';

/**
 * Renders text as pixels. Geist is bundled, so no installed fonts are required; other scripts use system fonts if available.
 */

export interface TextStyle {
  weight: 'Regular' | 'Medium' | 'SemiBold';
  /** In pixels. */
  size: number;
  /** As `#rrggbb`. */
  colour: string;
}

/** An image of text, cropped to its ink. */
export interface TextImage {
  width: number;
  height: number;
  /** PNG with alpha. */
  bytes: Buffer;
}

const fonts = path.resolve('node_modules/geist/dist/fonts/geist-sans');
/** Connected scripts; letter spacing would break them. */
const cursive = /[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Mongolian}\p{Script=Devanagari}\p{Script=Bengali}]/u;

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&apos;' };

function markup(text: string, { size, colour }: TextStyle): string {
  const escaped = text.replace(/[&<>"']/g, (character) => escapes[character] ?? '');
  // Large text is set slightly tighter. Pango uses 1/1024 of a point, which is a pixel at 72 dpi. The line height must be set
  // explicitly, since each font of a mixed text has its own.
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
      align: 'left', // the text's start: the right side for right-to-left scripts
    },
  });
}

/** True if the first letter of a text is right-to-left. */
export function isRightToLeft(text: string): boolean {
  const first = /\p{L}/u.exec(text)?.[0] ?? '';
  return /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u.test(first);
}

/** Null if the text has no ink. @param text plain, without control characters; line breaks are kept */
export async function textImage(text: string, style: TextStyle): Promise<TextImage | null> {
  if (!/[^\s\p{Cf}\p{M}]/u.test(text)) return null;
  const { data, info } = await rendering(text, style).png({ compressionLevel: 1 }).toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, bytes: data };
}

/** The width of a text in pixels, including trailing spaces. */
export async function textWidth(text: string, style: TextStyle): Promise<number> {
  const space = text.endsWith(' ') ? style.size * 0.26 : 0;
  if (!/[^\s\p{Cf}\p{M}]/u.test(text)) return space;
  const { width } = await rendering(text.trim(), style).metadata();
  return width + space;
}

/** The sides of the placeholder box drawn for a character without a font, if all four are solid; null for a real glyph. */
async function boxOf(character: string): Promise<string | null> {
  // After a no-break space, since a lone mark would be drawn on a dotted circle; small enough for normal spacing (see
  // `markup`).
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

/** Noncharacters with four and six digits, which no font has. */
const noncharacters = ['\ufdd0', '\u{10fffe}'];
const remembered = 5000;

/** True if neither Geist nor a system font has a character. */
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

/** Characters that Geist has or that have no ink: blanks, Latin letters, joiners, variation selectors. */
const alwaysDrawable = /[\s\u0020-\u017f\p{Cf}]|\p{Variation_Selector}/u;

/**
 * Removes symbols and combining marks that no font on this machine has.
 * @returns null if letters or digits are among them, since part of a title would be misleading
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
