import sharp from 'sharp';
import { QueueFull } from '../semaphore';
import { imageTypeOf, isReadable } from './image-type';
import { imageWork } from './image-work';

/** In pixels; browsers show no larger pictures. */
const maximumSide = 65_535;

export interface Dimensions {
  /** In pixels, with orientation applied: a portrait photo is higher than wide. */
  width: number;
  height: number;
}

/**
 * Reads the dimensions from the first chunk of a WebP file (RFC 9649, sections 2.5 to 2.7): libwebp needs the whole file. EXIF
 * comes after the pixels, so the orientation is not applied.
 */
function webpDimensions(head: Buffer): Dimensions | null {
  if (head.length < 30) return null;
  switch (head.toString('latin1', 12, 16)) {
    case 'VP8X':
      return { width: head.readUIntLE(24, 3) + 1, height: head.readUIntLE(27, 3) + 1 };
    case 'VP8L': {
      const sides = head.readUInt32LE(21);
      return head[20] === 0x2f ? { width: (sides & 0x3fff) + 1, height: ((sides >> 14) & 0x3fff) + 1 } : null;
    }
    case 'VP8 ':
      return head.readUIntBE(23, 3) === 0x9d012a
        ? { width: head.readUInt16LE(26) & 0x3fff, height: head.readUInt16LE(28) & 0x3fff }
        : null;
    default:
      return null;
  }
}

/**
 * The dimensions of a JPEG, PNG, WebP, GIF or AVIF image from the head of its file. A JPEG needs all metadata before the
 * picture (a few hundred bytes to some hundred kB), the others a few kB at most.
 * @returns null for other files, and if the head is too short
 */
export async function dimensionsOf(head: Uint8Array): Promise<Dimensions | null> {
  const found = await claimedDimensions(head);
  // The header's values may be invalid.
  const isSide = (side: number) => side >= 1 && side <= maximumSide;
  return found && isSide(found.width) && isSide(found.height) ? found : null;
}

async function claimedDimensions(head: Uint8Array): Promise<Dimensions | null> {
  const type = imageTypeOf(head);
  if (!isReadable(type)) return null;
  try {
    const { autoOrient } = await imageWork(() => sharp(head, { failOn: 'none' }).metadata());
    return { width: autoOrient.width, height: autoOrient.height };
  } catch (error) {
    if (error instanceof QueueFull) throw error;
    return type === 'webp' ? webpDimensions(Buffer.from(head.buffer, head.byteOffset, head.byteLength)) : null;
  }
}
