import sharp from 'sharp';
import { type ImageType, imageTypeOf } from './image-type';
import { imageWork } from './image-work';
import { checkType, decoded, headerOf, isOrdinary, readingSeconds, strict, UnusableImage } from './prepare-upload';

/** Maximum size of an uploaded file: 5 MiB. */
export const squareMaximumBytes = 5 * 1024 * 1024;

/** Side of the result in pixels. */
const side = 256;

const accepted: ReadonlySet<ImageType | null> = new Set(['jpeg', 'png', 'webp']);

/**
 * Converts an uploaded JPEG, PNG or WebP image to a square WebP of 256 pixels, its middle, e.g. for a photo of a person. Like
 * `prepareUpload`, it decodes and re-encodes everything, so that no metadata survives.
 * @param owner owner of the work; see `Semaphore`
 * @throws UnusableImage for more than `squareMaximumBytes`, other types, and what `prepareUpload` refuses
 */
export async function prepareSquare(bytes: Uint8Array, owner: string): Promise<Buffer> {
  if (bytes.byteLength > squareMaximumBytes) {
    throw new UnusableImage('This file is larger than 5 MB. Scale the image down and upload it again.');
  }
  const type = imageTypeOf(bytes);
  checkType(type);
  if (!accepted.has(type)) throw new UnusableImage('This type of image can’t be used here. Upload a JPEG, PNG or WebP file.');
  const metadata = await imageWork(() => headerOf(bytes), { owner });
  return imageWork(() => squareOf(bytes), { owner, alone: !isOrdinary(metadata) });
}

function squareOf(bytes: Uint8Array): Promise<Buffer> {
  const pixels = sharp(bytes, strict).timeout({ seconds: readingSeconds }).autoOrient();
  // On white: whatever is behind a photo would show through.
  const square = pixels.resize({ width: side, height: side, fit: 'cover' }).flatten({ background: '#fff' }).toColourspace('srgb');
  return decoded(square.webp({ quality: 82, smartSubsample: true }).toBuffer());
}
