import sharp, { type Sharp } from 'sharp';
import { describe, expect, test } from 'vitest';
import { dimensionsOf } from './image-dimensions';

/** Noise, so that the file is much larger than its head. */
function picture(width: number, height: number): Sharp {
  const noise = { type: 'gaussian', mean: 128, sigma: 60 } as const;
  return sharp({ create: { width, height, channels: 3, background: '#888', noise } });
}

describe('the sides of', () => {
  test.each<[string, (source: Sharp) => Sharp]>([
    ['JPEG', (source) => source.jpeg()],
    ['progressive JPEG', (source) => source.jpeg({ progressive: true })],
    ['PNG', (source) => source.png()],
    ['lossy WebP', (source) => source.webp()],
    ['lossless WebP', (source) => source.webp({ lossless: true })],
    ['WebP with metadata', (source) => source.withExif({ IFD0: { Copyright: 'x' } }).webp()],
    ['transparent WebP', (source) => source.ensureAlpha(0.5).webp()],
    ['GIF', (source) => source.gif()],
    ['AVIF', (source) => source.avif({ effort: 0 })],
  ])('%s, whole and of its head', async (_type, encode) => {
    const bytes = await encode(picture(301, 203)).toBuffer();
    expect(bytes.length).toBeGreaterThan(8192);
    for (const head of [bytes, bytes.subarray(0, 4096)]) expect(await dimensionsOf(head)).toEqual({ width: 301, height: 203 });
  });

  test('a photo taken upright', async () => {
    const bytes = await picture(700, 400).withMetadata({ orientation: 8 }).jpeg().toBuffer();
    expect(await dimensionsOf(bytes.subarray(0, 8192))).toEqual({ width: 400, height: 700 });
  });

  test('anything else are unknown', async () => {
    const jpeg = await picture(50, 50).jpeg().toBuffer();
    for (const bytes of [
      Buffer.alloc(0),
      Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="5" height="5"/>'),
      Buffer.from('<html></html>'),
      await picture(50, 50).tiff().toBuffer(),
      jpeg.subarray(0, 20),
      Buffer.from('RIFF\0\0\0\0WEBP', 'latin1'),
      Buffer.from('RIFF\0\0\0\0WEBPVP8 .............................', 'latin1'),
      // Claims to be 0 pixels wide and high.
      Buffer.from('RIFF\0\0\0\0WEBPVP8 \0\0\0\0\0\0\0\x9d\x01\x2a\0\0\0\0', 'latin1'),
    ])
      expect(await dimensionsOf(bytes)).toBeNull();
  });
});
