import { crc32, deflateSync } from 'node:zlib';
import sharp, { type Sharp } from 'sharp';
import { describe, expect, test } from 'vitest';
import { imageMaximumBytes, type PreparedImage, prepareUpload, UnusableImage } from './prepare-upload';

type Colour = number[];

/** A picture with two halves, left and right. */
function halves(width: number, height: number, left: Colour, right: Colour): Sharp {
  const channels = left.length === 4 ? 4 : 3;
  const pixels = Buffer.alloc(width * height * channels);
  for (let at = 0; at < width * height; at++) pixels.set(at % width < width / 2 ? left : right, at * channels);
  return sharp(pixels, { raw: { width, height, channels } });
}

/** Inside the CMYK gamut. */
const red: Colour = [190, 60, 60];
const blue: Colour = [60, 90, 150];
const picture = (width = 1000, height = 500) => halves(width, height, red, blue);

/** The pixel at relative coordinates. */
async function pixelAt(bytes: Buffer, x: number, y: number): Promise<number[]> {
  const { data, info } = await sharp(bytes).raw().toBuffer({ resolveWithObject: true });
  const start = (Math.floor(y * info.height) * info.width + Math.floor(x * info.width)) * info.channels;
  return [...data.subarray(start, start + info.channels)];
}

function expectNear(actual: number[], wanted: Colour, tolerance = 12): void {
  expect(actual).toHaveLength(wanted.length);
  for (const [index, value] of actual.entries()) expect(Math.abs(value - Number(wanted[index]))).toBeLessThanOrEqual(tolerance);
}

async function everyFile({ variants, social }: PreparedImage): Promise<Buffer[]> {
  return [...variants.map(({ bytes }) => bytes), social.bytes];
}

describe('an upload becomes', () => {
  test.each<[string, (source: Sharp) => Sharp]>([
    ['JPEG', (source) => source.jpeg()],
    ['PNG', (source) => source.png()],
    ['PNG with a palette', (source) => source.png({ palette: true })],
    ['16-bit PNG', (source) => source.toColourspace('rgb16').png()],
    ['WebP', (source) => source.webp()],
    ['GIF', (source) => source.gif()],
    ['AVIF', (source) => source.avif({ effort: 0 })],
    ['CMYK JPEG', (source) => source.toColourspace('cmyk').jpeg({ quality: 95 })],
    ['progressive JPEG', (source) => source.jpeg({ progressive: true })],
  ])('%s: WebP in several widths and a JPEG for link previews', async (_type, encode) => {
    const prepared = await prepareUpload(await encode(picture()).toBuffer(), 'a');
    expect(prepared).toMatchObject({ width: 1000, height: 500, isAnimated: false });
    expect(prepared.variants.map(({ width, height, format }) => [width, height, format])).toEqual([
      [1000, 500, 'webp'],
      [960, 480, 'webp'],
      [480, 240, 'webp'],
    ]);
    for (const { bytes, width, height } of [...prepared.variants, prepared.social]) {
      expect(await sharp(bytes).metadata()).toMatchObject({ width, height, space: 'srgb', depth: 'uchar', hasAlpha: false });
      expectNear(await pixelAt(bytes, 0.1, 0.5), red, 25);
      expectNear(await pixelAt(bytes, 0.9, 0.5), blue, 25);
    }
    expect((await sharp(prepared.social.bytes).metadata()).format).toBe('jpeg');
  });

  test.each([
    [2000, 900, [1600, 960, 480]],
    [960, 500, [960, 480]],
    [300, 900, [300]],
    [16, 16, [16]],
    [100, 10_000, [80]],
    [10_000, 20, [1600, 960, 480]],
    [16, 16_383, [7]],
  ])('%i × %i: the widths that are not wider', async (width, height, widths) => {
    const prepared = await prepareUpload(await picture(width, height).png().toBuffer(), 'a');
    expect(prepared.variants.map((variant) => variant.width)).toEqual(widths);
    const [widest] = prepared.variants;
    expect(Math.abs(widest.height - (widest.width * height) / width)).toBeLessThanOrEqual(1);
    expect(await sharp(prepared.social.bytes).metadata()).toMatchObject({ width: 1200, height: 630 });
  });

  test('upright, and without all that the camera noted', async () => {
    const exif = { IFD0: { Copyright: 'PRIVATE' }, IFD3: { GPSLatitude: '52/1 31/1 12/1', GPSLatitudeRef: 'N' } };
    const bytes = await picture(400, 200)
      .withExif(exif)
      .withMetadata({ orientation: 6 })
      .withXmp('<x>PRIVATE</x>')
      .jpeg()
      .toBuffer();
    expect(await sharp(bytes).metadata()).toMatchObject({ orientation: 6, exif: expect.any(Buffer) });

    const prepared = await prepareUpload(bytes, 'a');
    expect(prepared).toMatchObject({ width: 200, height: 400, variants: [{ width: 200, height: 400 }] });
    const [{ bytes: upright }] = prepared.variants;
    expectNear(await pixelAt(upright, 0.5, 0.1), red);
    expectNear(await pixelAt(upright, 0.5, 0.9), blue);
    for (const file of await everyFile(prepared)) {
      const { exif, xmp, iptc, icc, orientation } = await sharp(file).metadata();
      expect({ exif, xmp, iptc, icc, orientation }).toEqual({});
      expect(file.includes('PRIVATE')).toBe(false);
    }
  });

  test('sRGB, from a wider colour space', async () => {
    const wide = await sharp(await picture(100, 100).png().toBuffer())
      .withIccProfile('p3')
      .png()
      .toBuffer();
    expect((await sharp(wide).metadata()).icc).toBeDefined();
    const prepared = await prepareUpload(wide, 'a');
    expectNear(await pixelAt(prepared.variants[0].bytes, 0.1, 0.5), red);
  });

  test('as transparent as it was, and white for link previews', async () => {
    const clear = halves(600, 300, [190, 60, 60, 255], [0, 0, 0, 0]);
    for (const bytes of [await clear.clone().png().toBuffer(), await clear.clone().gif().toBuffer()]) {
      const prepared = await prepareUpload(bytes, 'a');
      expectNear(await pixelAt(prepared.variants[0].bytes, 0.1, 0.5), [...red, 255]);
      expect((await pixelAt(prepared.variants[0].bytes, 0.9, 0.5))[3]).toBe(0);
      expectNear(await pixelAt(prepared.social.bytes, 0.9, 0.5), [255, 255, 255]);
    }
  });

  test('under 300 kB for link previews, however restless it is', async () => {
    const noise = { type: 'gaussian', mean: 128, sigma: 60 } as const;
    const bytes = await sharp({ create: { width: 1500, height: 900, channels: 3, background: '#888', noise } })
      .jpeg()
      .toBuffer();
    expect((await prepareUpload(bytes, 'a')).social.bytes.length).toBeLessThan(300_000);
  });
});

describe('an animation', () => {
  function frames(count: number, width: number, height: number): Sharp {
    const frame = (index: number) => Buffer.alloc(width * height * 3, Buffer.from([(index * 37) % 256, 0, 90]));
    const pixels = Buffer.concat(Array.from({ length: count }, (_, index) => frame(index)));
    return sharp(pixels, { raw: { width, height: height * count, channels: 3, pageHeight: height } });
  }

  test.each<[string, (source: Sharp) => Sharp]>([
    ['GIF', (source) => source.gif({ delay: Array(5).fill(120), loop: 3 })],
    ['WebP', (source) => source.webp({ delay: Array(5).fill(120), loop: 3 })],
  ])('in %s stays one', async (_type, encode) => {
    const prepared = await prepareUpload(await encode(frames(5, 600, 300)).toBuffer(), 'a');
    expect(prepared).toMatchObject({ width: 600, height: 300, isAnimated: true });
    expect(prepared.variants.map(({ width, height }) => [width, height])).toEqual([
      [600, 300],
      [480, 240],
    ]);
    for (const { bytes, width, height } of prepared.variants)
      expect(await sharp(bytes).metadata()).toMatchObject({
        format: 'webp',
        width,
        height,
        pages: 5,
        loop: 3,
        delay: Array(5).fill(120),
      });
    expect(await sharp(prepared.social.bytes).metadata()).toMatchObject({ width: 1200, height: 630 });
  });

  test('of too many frames is its first one', async () => {
    const prepared = await prepareUpload(await frames(201, 20, 20).gif().toBuffer(), 'a');
    expect(prepared.isAnimated).toBe(false);
    expect((await sharp(prepared.variants[0].bytes).metadata()).pages ?? 1).toBe(1);
  });

  test('of too many pixels is its first frame', async () => {
    const prepared = await prepareUpload(await frames(21, 1000, 1000).gif().toBuffer(), 'a');
    expect(prepared).toMatchObject({ width: 1000, height: 1000, isAnimated: false });
  });
});

describe('what hides in a file', () => {
  test('is gone', async () => {
    const script = Buffer.from('<html><script>alert(document.domain)</script></html>');
    for (const image of [await picture(100, 100).jpeg().toBuffer(), await picture(100, 100).png().toBuffer()]) {
      const commented = image[0] === 0xff ? Buffer.concat([image.subarray(0, 2), comment(script), image.subarray(2)]) : image;
      const prepared = await prepareUpload(Buffer.concat([commented, script]), 'a');
      for (const file of await everyFile(prepared)) expect(file.includes('script')).toBe(false);
    }
  });

  function comment(text: Buffer): Buffer {
    const marker = Buffer.from([0xff, 0xfe, 0, 0]);
    marker.writeUInt16BE(text.length + 2, 2);
    return Buffer.concat([marker, text]);
  }
});

/** A one-row PNG whose header declares other dimensions. */
function pngClaiming(width: number, height: number): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
    const length = Buffer.alloc(4);
    const sum = Buffer.alloc(4);
    length.writeUInt32BE(data.length);
    sum.writeUInt32BE(crc32(body));
    return Buffer.concat([length, body, sum]);
  };
  const header = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 8, 2, 0, 0, 0]);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.alloc(3000))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

describe('refused with a reason', () => {
  async function refusal(bytes: Uint8Array): Promise<string> {
    const refused = prepareUpload(bytes, 'a');
    await expect(refused).rejects.toThrow(UnusableImage);
    return refused.then(String, (error: Error) => error.message);
  }

  const heic = Buffer.from('\0\0\0\x18ftypheic\0\0\0\0mif1heic', 'latin1');
  const svg = `<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]><svg xmlns="http://www.w3.org/2000/svg"
    width="100" height="100"><text>&x;</text></svg>`;

  test.each<[string, Buffer | (() => Promise<Buffer>), string]>([
    ['SVG', Buffer.from(svg), "SVG files can't be used"],
    ['PDF', Buffer.from('%PDF-1.7\n'), "PDF files can't be used"],
    ['HEIC', heic, 'Export the photo as JPEG'],
    ['TIFF', () => picture(100, 100).tiff().toBuffer(), 'Upload a JPEG, PNG, WebP, GIF or AVIF file'],
    ['HTML', Buffer.from('<html><img src="x.png"></html>'), 'This is not an image'],
    ['nothing', Buffer.alloc(0), 'This is not an image'],
    ['a decompression bomb', pngClaiming(60_000, 60_000), '60,000 × 60,000 pixels; 50 megapixels are the most'],
    ['a long side', pngClaiming(16_384, 20), 'a side may have 16,383'],
    ['a short side', () => picture(400, 15).png().toBuffer(), 'each side needs 16 at least'],
    ['a PNG with less in it than it says', pngClaiming(1000, 1000), 'damaged or incomplete'],
    ['bytes after a JPEG marker', Buffer.from('\xff\xd8\xff\xe0 this is no picture', 'latin1'), 'damaged or incomplete'],
    ['too many bytes', Buffer.alloc(imageMaximumBytes + 1), 'larger than 10 MB'],
  ])('%s', async (_what, bytes, reason) => {
    expect(await refusal(typeof bytes === 'function' ? await bytes() : bytes)).toContain(reason);
  });

  test.each<[string, (source: Sharp) => Sharp]>([
    ['JPEG', (source) => source.jpeg()],
    ['PNG', (source) => source.png({ compressionLevel: 0 })],
    ['WebP', (source) => source.webp({ lossless: true })],
    ['GIF', (source) => source.gif()],
    ['AVIF', (source) => source.avif({ effort: 0 })],
  ])('half a %s', async (_type, encode) => {
    const noise = { type: 'gaussian', mean: 128, sigma: 60 } as const;
    const bytes = await encode(sharp({ create: { width: 200, height: 200, channels: 3, background: '#888', noise } })).toBuffer();
    expect(await refusal(bytes.subarray(0, bytes.length / 2))).toContain('damaged or incomplete');
  });
});
