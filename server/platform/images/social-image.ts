import sharp, { type OverlayOptions } from 'sharp';
import { imageWork } from './image-work';
import { hex, oklch } from './social-colours';
import { balancedLines, breakable, type Piece, partsOf, plainLine } from './social-lines';
import { drawable, isRightToLeft, type TextStyle, textImage, textWidth } from './social-text';

export interface SocialImage {
  title: string;
  /** Shown above the title. */
  siteName: string;
  /** Shown below the title, e.g. author and date. */
  byline?: string;
  /** Hue of the background, in degrees of OKLCH; 195 is teal. */
  hue?: number;
}

const width = 1200;
const height = 630;
const margin = 84;
const textWidthMaximum = width - 2 * margin;
/** Shorter titles are larger. */
const titleSizes = [
  { size: 92, lines: 2 },
  { size: 78, lines: 3 },
  { size: 66, lines: 4 },
];
const measured = 66;

/** The background: two subtle discs in a lower corner, with edges antialiased over a pixel. */
function field(hue: number, isMirrored: boolean): Buffer {
  const [ground, outer, inner] = [oklch(0.275, 0.048, hue), oklch(0.305, 0.055, hue), oklch(0.345, 0.064, hue)];
  const pixels = Buffer.alloc(width * height * 3);
  const centre = { x: isMirrored ? 90 : width - 90, y: height + 70 };
  for (let y = 0, at = 0; y < height; y++)
    for (let x = 0; x < width; x++, at += 3) {
      const distance = Math.hypot(x - centre.x, y - centre.y);
      const inOuter = Math.min(1, Math.max(0, 430 - distance));
      const inInner = Math.min(1, Math.max(0, 250 - distance));
      for (const channel of [0, 1, 2] as const)
        pixels[at + channel] = blend(blend(ground[channel], outer[channel], inOuter), inner[channel], inInner);
    }
  return pixels;
}

function blend(from: number, to: number, part: number): number {
  return from + (to - from) * part;
}

async function piecesOf(title: string, style: TextStyle): Promise<Piece[]> {
  const pieces: Piece[] = [];
  for (const whole of breakable(title)) {
    const parts = partsOf(whole, await textWidth(whole, style), textWidthMaximum);
    for (const text of parts) pieces.push({ text, width: await textWidth(text, style) });
  }
  return pieces;
}

/** Text in several fonts can be wider than the sum of its words; then the image is scaled down slightly. */
async function fittedImage(text: string, style: TextStyle) {
  const image = await textImage(text, style);
  if (!image || image.width <= textWidthMaximum) return image;
  return textImage(text, { ...style, size: Math.floor((style.size * textWidthMaximum) / image.width) });
}

/** The largest size at which a title fits; at the smallest, it is truncated. */
async function titleImage(title: string, colour: string) {
  const style = { weight: 'SemiBold', colour } as const;
  const pieces = await piecesOf(title, { ...style, size: measured });
  let best = { size: measured, lines: [title] };
  for (const { size, lines: maximumLines } of titleSizes) {
    const scaled = pieces.map((piece) => ({ ...piece, width: (piece.width * size) / measured }));
    const { lines, isWhole } = balancedLines(scaled, { maximum: textWidthMaximum, maximumLines, ellipsis: size });
    best = { size, lines };
    if (isWhole && scaled.every((piece) => piece.width <= textWidthMaximum)) break;
  }
  return fittedImage(best.lines.join('\n'), { ...style, size: best.size });
}

/** One line, truncated if too long. */
async function lineImage(text: string, style: TextStyle) {
  const pieces = await piecesOf(text, style);
  const { lines } = balancedLines(pieces, { maximum: textWidthMaximum, maximumLines: 1, ellipsis: style.size });
  return fittedImage(lines.join(''), style);
}

async function draw({ title, siteName, byline = '', hue = 195 }: SocialImage): Promise<Buffer> {
  const [heading, name, foot] = [
    await drawable(plainLine(title)),
    await drawable(plainLine(siteName, 80)),
    await drawable(plainLine(byline, 120)),
  ];
  const quiet = hex(oklch(0.83, 0.055, hue));
  // Without a font for the title's script, the site's name replaces it.
  const large = heading || name;
  const isMirrored = isRightToLeft(large ?? '');
  const parts: OverlayOptions[] = [];
  const place = (image: Awaited<ReturnType<typeof textImage>>, top: (height: number) => number) => {
    if (!image) return;
    const left = isMirrored ? width - margin - image.width : margin;
    parts.push({ input: image.bytes, left: Math.max(0, left), top: Math.max(0, Math.round(top(image.height))) });
  };
  if (large) place(await titleImage(large, '#ffffff'), (own) => (height - own) / 2);
  if (name && heading) place(await lineImage(name, { weight: 'Medium', size: 30, colour: quiet }), () => margin - 14);
  if (foot) place(await lineImage(foot, { weight: 'Regular', size: 28, colour: quiet }), (own) => height - margin + 14 - own);
  const canvas = sharp(field(hue, isMirrored), { raw: { width, height, channels: 3 } });
  return canvas
    .composite(parts)
    .removeAlpha()
    .png({ palette: true, colours: 128, dither: 0, compressionLevel: 9, effort: 4 })
    .toBuffer();
}

/**
 * A preview image of a title, for pages without their own: PNG, 1200 × 630 pixels, under 100 kB. Accepts any text: it is never
 * parsed as markup, long words are broken, titles beyond four lines end in an ellipsis, and right-to-left text is set
 * correctly. Symbols without a font on this machine are omitted.
 * @param owner owner of the work; see `Semaphore`
 */
export function socialImage(image: SocialImage, owner: string): Promise<Buffer> {
  return imageWork(() => draw(image), { owner });
}
