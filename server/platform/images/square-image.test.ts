import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { UnusableImage } from './prepare-upload';
import { prepareSquare, squareMaximumBytes } from './square-image';

/** A picture of three vertical stripes; the middle one is the square. */
async function stripes(height = 300) {
  const stripe = (background: string) =>
    sharp({ create: { width: height, height, channels: 3, background } })
      .png()
      .toBuffer();
  const [left, middle, right] = await Promise.all([stripe('red'), stripe('green'), stripe('blue')]);
  const whole = sharp({ create: { width: height * 3, height, channels: 3, background: 'black' } });
  const at = (input: Buffer, index: number) => ({ input, left: height * index, top: 0 });
  // Composed before anything else is done to it.
  const pixels = await whole
    .composite([at(left, 0), at(middle, 1), at(right, 2)])
    .png()
    .toBuffer();
  return sharp(pixels);
}

/** A pixel near each side, away from what scaling mixes. */
async function sides(bytes: Buffer): Promise<number[][]> {
  const { data, info } = await sharp(bytes).raw().toBuffer({ resolveWithObject: true });
  return [16, info.width - 16].map((x) => [...data.subarray(x * info.channels, x * info.channels + 3)]);
}

describe('a square image', () => {
  test.each(['jpeg', 'png', 'webp'] as const)('is the middle of a %s, as WebP', async (format) => {
    const square = await prepareSquare(await (await stripes()).toFormat(format).toBuffer(), 'a');
    expect(await sharp(square).metadata()).toMatchObject({ format: 'webp', width: 256, height: 256, space: 'srgb' });
    for (const [red = 255, green = 0, blue = 255] of await sides(square)) {
      expect(Math.max(red, blue)).toBeLessThan(40);
      expect(green).toBeGreaterThan(80);
    }
  });

  test('is upright, and has no metadata', async () => {
    const upload = await (await stripes())
      .withMetadata({ orientation: 6 })
      .withExif({ IFD0: { Copyright: 'Ann' }, IFD3: { GPSLatitude: '51/1 30/1 0/1' } })
      .jpeg()
      .toBuffer();
    const square = await prepareSquare(upload, 'a');
    expect(await sharp(square).metadata()).toMatchObject({ width: 256, height: 256 });
    const { exif, orientation } = await sharp(square).metadata();
    expect([exif, orientation]).toEqual([undefined, undefined]);
  });

  test('has white behind what was transparent, so that nothing shows through', async () => {
    const clear = sharp({ create: { width: 64, height: 64, channels: 4, background: { r: 0, g: 0, b: 0, alpha: 0 } } });
    const square = await prepareSquare(await clear.png().toBuffer(), 'a');
    expect(await sharp(square).metadata()).toMatchObject({ hasAlpha: false });
    for (const side of await sides(square)) expect(Math.min(...side)).toBeGreaterThan(250);
  });

  test.each<[string, () => Promise<Buffer> | Buffer, string]>([
    ['too many bytes', () => Buffer.alloc(squareMaximumBytes + 1), 'larger than 5 MB'],
    ['a GIF', async () => (await stripes()).gif().toBuffer(), 'JPEG, PNG or WebP'],
    ['an SVG', () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'PNG'],
    ['a text', () => Buffer.from('hello'), 'not an image'],
    ['a damaged PNG', async () => (await (await stripes()).png().toBuffer()).subarray(0, 200), 'damaged'],
    ['too small', async () => (await stripes(8)).png().toBuffer(), 'each side needs'],
  ])('is not made of %s', async (_what, upload, reason) => {
    const refusal = await prepareSquare(await upload(), 'a').catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(UnusableImage);
    expect((refusal as Error).message).toContain(reason);
  });
});
