/** An image type by first bytes; `heic`, `svg` and `pdf` are recognised only to explain why they are refused. */
export type ImageType = 'jpeg' | 'png' | 'webp' | 'gif' | 'avif' | 'heic' | 'svg' | 'pdf';

/** The types that we decode. */
const readable: ReadonlySet<ImageType | null> = new Set(['jpeg', 'png', 'webp', 'gif', 'avif']);

export function isReadable(type: ImageType | null): boolean {
  return readable.has(type);
}

/** The type of an ISO base media file (AVIF, HEIC) by the brands of its first box (ISO/IEC 14496-12, 4.3). */
function typeByBrands(head: Buffer): ImageType | null {
  const brands = head
    .subarray(8, Math.min(head.readUInt32BE(0), 256))
    .toString('latin1')
    .match(/.{4}/gs);
  if (brands?.some((brand) => brand === 'avif' || brand === 'avis')) return 'avif';
  return brands?.some((brand) => /^(hei[cmsx]|hev[cmsx]|mif1|msf1)$/.test(brand)) ? 'heic' : null;
}

/** Detects the image type by content, since names and Content-Type headers are unreliable. Null: unknown. */
export function imageTypeOf(bytes: Uint8Array): ImageType | null {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, 1024));
  const text = head.toString('latin1');
  if (text.startsWith('\xff\xd8\xff')) return 'jpeg';
  if (text.startsWith('\x89PNG\r\n\x1a\n')) return 'png';
  if (text.startsWith('RIFF') && text.startsWith('WEBP', 8)) return 'webp';
  if (text.startsWith('GIF87a') || text.startsWith('GIF89a')) return 'gif';
  if (text.startsWith('ftyp', 4)) return typeByBrands(head);
  if (text.startsWith('%PDF-')) return 'pdf';
  return /<svg[\s>]|<!doctype svg/i.test(text) ? 'svg' : null;
}
