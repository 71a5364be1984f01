import sharp, { type Metadata, type Sharp } from 'sharp';
import { type ImageType, imageTypeOf, isReadable } from './image-type';
import { imageWork } from './image-work';

/** Maximum size of an uploaded file: 10 MiB. */
export const imageMaximumBytes = 10 * 1024 * 1024;
const maximumPixels = 50_000_000;
/** The AVIF decoder holds the whole image several times, 20 bytes a pixel; other decoders work in strips. */
const maximumPixelsOfAvif = 24_000_000;
/** A larger image is processed alone: some kinds of PNG and JPEG must be decoded whole, which takes hundreds of megabytes. */
const ordinaryPixels = 16_000_000;
/** The longest side that WebP supports. */
const maximumSide = 16_383;
const minimumSide = 16;
/** A longer animation is reduced to its first frame: encoding would take seconds, and readers would wait for it to load. */
const maximumFrames = 200;
const maximumAnimatedPixels = 20_000_000;

/** Widths of variants in pixels: a wide screen, an article's column, a phone. */
const variantWidths = [1600, 960, 480];
/** Limits the height by reducing the width, e.g. for a strip of screenshots. */
const variantMaximumHeight = 8000;
/** The size of link previews (Open Graph). */
const socialWidth = 1200;
const socialHeight = 630;
const socialMaximumBytes = 300_000;

/** Decoding one image takes no longer. */
export const readingSeconds = 30;

/** An unusable upload. `message` tells people why and what to do. */
export class UnusableImage extends Error {
  override name = 'UnusableImage';
}

export interface ImageVariant {
  width: number;
  height: number;
  format: 'webp';
  bytes: Buffer;
}

export interface PreparedImage {
  /** Dimensions of the upload in pixels, after EXIF orientation. */
  width: number;
  height: number;
  /** True if the variants are animated. */
  isAnimated: boolean;
  /** Widest first; never wider than the upload. */
  variants: [ImageVariant, ...ImageVariant[]];
  /** For link previews: the most salient part of the image, transparency on white. */
  social: { width: 1200; height: 630; format: 'jpeg'; bytes: Buffer };
}

function number(value: number): string {
  return value.toLocaleString('en');
}

/** @throws UnusableImage for a file that is not read, with what to do instead */
export function checkType(type: ImageType | null): void {
  if (isReadable(type)) return;
  if (type === 'heic')
    throw new UnusableImage("Photos in Apple's HEIC format can't be read. Export the photo as JPEG and upload that.");
  if (type === 'svg' || type === 'pdf')
    throw new UnusableImage(`${type.toUpperCase()} files can't be used. Export the picture as PNG and upload that.`);
  throw new UnusableImage('This is not an image that can be used. Upload a JPEG, PNG, WebP, GIF or AVIF file.');
}

function checkSides({ format, autoOrient: { width, height } }: Metadata): void {
  const found = `This image is ${number(width)} × ${number(height)} pixels`;
  const most = format === 'heif' ? maximumPixelsOfAvif : maximumPixels;
  if (width * height > most)
    throw new UnusableImage(`${found}; ${most / 1_000_000} megapixels are the most. Scale it down and upload it again.`);
  if (Math.max(width, height) > maximumSide)
    throw new UnusableImage(`${found}; a side may have ${number(maximumSide)}. Crop it or scale it down, and upload it again.`);
  if (Math.min(width, height) < minimumSide)
    throw new UnusableImage(`${found}; each side needs ${minimumSide} at least. Upload a larger one.`);
}

/** Converts decoder errors into messages for the owner. */
export async function decoded<T>(decoding: Promise<T>): Promise<T> {
  try {
    return await decoding;
  } catch (cause) {
    if (cause instanceof Error && cause.message.startsWith('timeout'))
      throw new UnusableImage('This image takes too long to read. Scale it down, and upload it again.', { cause });
    throw new UnusableImage('This image is damaged or incomplete. Open it in an image editor, save it again and upload that.', {
      cause,
    });
  }
}

/** `error`: refuses pictures with missing or broken parts, but accepts those with only odd metadata. */
export const strict = { failOn: 'error', limitInputPixels: maximumPixels } as const;

/** The header of an image that can be read. @throws UnusableImage for one that is too large, too small or damaged */
export async function headerOf(bytes: Uint8Array): Promise<Metadata> {
  // No limit here: `checkSides` reports oversized images before any pixel is decoded.
  const metadata = await decoded(sharp(bytes, { ...strict, limitInputPixels: false }).metadata());
  checkSides(metadata);
  return metadata;
}

/** False for an image that has to be processed alone. */
export function isOrdinary({ width, height }: Metadata): boolean {
  return width * height <= ordinaryPixels;
}

/** The widths of an image's variants, widest first: its own or the maximum, and all smaller ones. */
function widthsFor({ width, height }: { width: number; height: number }): [number, ...number[]] {
  const [most = 0] = variantWidths;
  const widest = Math.min(width, most, Math.max(1, Math.floor((variantMaximumHeight * width) / height)));
  return [widest, ...variantWidths.filter((each) => each < widest)];
}

async function variantsOf(widths: number[], source: () => Sharp, effort: number): Promise<PreparedImage['variants']> {
  const variants: ImageVariant[] = [];
  for (const width of widths) {
    const encoded = source().resize({ width }).webp({ quality: 80, smartSubsample: true, effort });
    const { data, info } = await decoded(encoded.toBuffer({ resolveWithObject: true }));
    variants.push({ width: info.width, height: info.pageHeight ?? info.height, format: 'webp', bytes: data });
  }
  return variants as PreparedImage['variants'];
}

/** The most salient part of an image, in the shape of a link preview. */
async function socialCrop(source: () => Sharp): Promise<Sharp> {
  const { width, height } = await source().metadata();
  // Crop before enlarging: a strip of 16 × 16,000 pixels would become a gigapixel.
  const enlargement = Math.max(1, socialWidth / width, socialHeight / height);
  const cut = { width: Math.round(socialWidth / enlargement), height: Math.round(socialHeight / enlargement) };
  const { data, info } = await source()
    .resize({ ...cut, fit: 'cover', position: sharp.strategy.attention })
    .flatten({ background: '#fff' })
    .raw()
    .toBuffer({ resolveWithObject: true });
  const pixels = sharp(data, { raw: { width: info.width, height: info.height, channels: info.channels } });
  return pixels.resize({ width: socialWidth, height: socialHeight, fit: 'fill' });
}

async function socialOf(source: () => Sharp): Promise<PreparedImage['social']> {
  const crop = await socialCrop(source);
  let bytes = await crop.clone().jpeg({ quality: 82, mozjpeg: true }).toBuffer();
  for (const quality of [68, 50, 30, 10]) {
    if (bytes.length <= socialMaximumBytes) break;
    bytes = await crop.clone().jpeg({ quality, mozjpeg: true }).toBuffer();
  }
  return { width: socialWidth, height: socialHeight, format: 'jpeg', bytes };
}

/** Pixels of the first frame: upright, in sRGB, no larger than its results need. */
async function pixelsOf(bytes: Uint8Array, { autoOrient: { width, height } }: Metadata): Promise<() => Sharp> {
  const [widest] = widthsFor({ width, height });
  // Large enough for the crop of link previews, even of a panorama.
  const working = Math.min(width, Math.max(widest, socialWidth, Math.ceil((socialHeight * width) / height)));
  const pixels = sharp(bytes, strict).timeout({ seconds: readingSeconds }).autoOrient().resize({ width: working });
  const { data, info } = await decoded(pixels.toColourspace('srgb').raw().toBuffer({ resolveWithObject: true }));
  return () => sharp(data, { raw: { width: info.width, height: info.height, channels: info.channels } });
}

function staysAnimated({ pages = 1, width, height, orientation = 1 }: Metadata): boolean {
  return pages > 1 && orientation === 1 && pages <= maximumFrames && pages * width * height <= maximumAnimatedPixels;
}

async function prepare(bytes: Uint8Array, metadata: Metadata): Promise<PreparedImage> {
  const { width, height } = metadata.autoOrient;
  const still = await pixelsOf(bytes, metadata);
  const isAnimated = staysAnimated(metadata);
  const animation = () => sharp(bytes, { ...strict, animated: true }).timeout({ seconds: readingSeconds });
  const widths = widthsFor({ width, height });
  // Less effort for animations: a third faster, with equal size.
  const variants = isAnimated ? await variantsOf(widths, animation, 2) : await variantsOf(widths, still, 4);
  return { width, height, isAnimated, variants, social: await socialOf(still) };
}

/**
 * Converts an uploaded JPEG, PNG, WebP, GIF or AVIF image for a public page. The type is detected by content. Everything is
 * decoded and re-encoded, so nothing of the file itself survives: no metadata (a camera's GPS position), no hidden data. The
 * result is upright (EXIF orientation), in sRGB, and keeps transparency. A GIF or WebP animation of up to 200 frames and 20
 * megapixels in all stays animated; a larger one becomes its first frame.
 * @param owner owner of the work; see `Semaphore`
 * @throws UnusableImage for more than `imageMaximumBytes`, other types, over 50 megapixels (AVIF: 24), sides under 16 or over
 * 16,383 pixels, and damaged or incomplete files
 */
export async function prepareUpload(bytes: Uint8Array, owner: string): Promise<PreparedImage> {
  if (bytes.byteLength > imageMaximumBytes)
    throw new UnusableImage(
      'This file is larger than 10 MB. Scale the image down, to 2,000 pixels wide for example, and upload it again.',
    );
  checkType(imageTypeOf(bytes));
  const metadata = await imageWork(() => headerOf(bytes), { owner });
  return imageWork(() => prepare(bytes, metadata), { owner, alone: !isOrdinary(metadata) });
}
