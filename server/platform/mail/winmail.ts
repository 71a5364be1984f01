import iconv from 'iconv-lite';
import { decompressRtf } from './compressed-rtf';
import { ByteReader, type MapiProperty, mapiProperties } from './mapi-properties';

/**
 * Decoder of TNEF (MS-OXTNEF), the format Outlook sends as winmail.dat.
 */

export interface WinmailAttachment {
  /** '' if missing. */
  filename: string;
  contentType: string | null;
  contentId: string | null;
  content: Buffer;
}

/** The contents of a winmail.dat. */
export interface Winmail {
  text: string | null;
  html: string | null;
  /** The RTF body, if any. */
  rtf: Buffer | null;
  attachments: WinmailAttachment[];
}

/** Limits of decoding, including nested messages. */
export interface WinmailLimits {
  /** With more attachments (even empty ones), nothing is decoded: each becomes a separate file. */
  attachments: number;
  /**
   * Bytes of decompressed RTF, as declared. Beyond this, RTF is dropped if there is another body; otherwise nothing is decoded.
   */
  rtfBytes: number;
}

/** A message's maximum number of parts, and its maximum size. */
export const winmailLimits: Readonly<WinmailLimits> = { attachments: 1000, rtfBytes: 25 * 1024 * 1024 };

class TooManyAttachments extends Error {
  override name = 'TooManyAttachments';
}

const signature = 0x223e9f78;

/** Attributes (MS-OXTNEF 2.1.3.3), without the type in their upper half. */
const attribute = {
  body: 0x800c,
  attachmentData: 0x800f,
  attachmentTitle: 0x8010,
  attachmentStart: 0x9002,
  messageProperties: 0x9003,
  attachmentProperties: 0x9005,
  codePage: 0x9007,
};

const property = {
  body: 0x1000,
  rtf: 0x1009,
  html: 0x1013,
  displayName: 0x3001,
  data: 0x3701,
  shortName: 0x3704,
  longName: 0x3707,
  contentType: 0x370e,
  contentId: 0x3712,
  htmlCodePage: 0x3fde,
};
const readProperties: ReadonlySet<number> = new Set(Object.values(property));

const object = 0x0d;
const unicode = 0x1f;

/** Maximum nesting of attached messages. */
const maximumDepth = 3;

/** Encodings of Windows code pages that iconv-lite doesn't know by number. */
const codePages: Record<number, string> = { 50220: 'iso-2022-jp', 51932: 'euc-jp', 54936: 'gb18030', 65001: 'utf-8' };

/** Prefers iconv-lite: the TextDecoder of Node.js 20 reads windows-1252 as Latin-1. */
function decode(bytes: Buffer, codePage: number): string {
  const name = codePages[codePage];
  if (name !== undefined) return new TextDecoder(name).decode(bytes);
  return iconv.decode(bytes, iconv.encodingExists(`cp${codePage}`) ? `cp${codePage}` : 'cp1252');
}

/** Removes trailing NULs. A regular expression would take quadratic time. */
function withoutTrailingNul(text: string): string {
  let end = text.length;
  while (end > 0 && text.charCodeAt(end - 1) === 0) end--;
  return text.slice(0, end);
}

function textOf(value: MapiProperty | undefined, codePage: number): string | null {
  if (value === undefined) return null;
  return withoutTrailingNul(
    value.type === unicode ? new TextDecoder('utf-16le').decode(value.bytes) : decode(value.bytes, codePage),
  );
}

interface RawAttachment {
  title: Buffer | null;
  data: Buffer | null;
  properties: Map<number, MapiProperty>;
}

interface RawMessage {
  codePage: number;
  body: Buffer | null;
  properties: Map<number, MapiProperty>;
  attachments: RawAttachment[];
}

/** The remaining limits. */
type RemainingLimits = WinmailLimits;

function takeAttachments(room: RemainingLimits, count: number): void {
  room.attachments -= count;
  if (room.attachments < 0) throw new TooManyAttachments('more attachments than are taken apart');
}

function readAttributes(bytes: Buffer, room: RemainingLimits): RawMessage {
  const reader = new ByteReader(bytes);
  if (reader.long() !== signature) throw new RangeError('not TNEF');
  reader.short();
  const message: RawMessage = { codePage: 1252, body: null, properties: new Map(), attachments: [] };
  while (reader.remaining >= 9) {
    reader.byte();
    const id = reader.long() & 0xffff;
    const data = reader.take(reader.long());
    reader.take(Math.min(2, reader.remaining));
    if (id === attribute.attachmentStart) {
      takeAttachments(room, 1);
      message.attachments.push({ title: null, data: null, properties: new Map() });
    }
    const attachment = message.attachments.at(-1);
    if (id === attribute.codePage && data.length >= 4) message.codePage = data.readUInt32LE();
    else if (id === attribute.body) message.body = data;
    else if (id === attribute.messageProperties) message.properties = mapiProperties(data, readProperties);
    else if (id === attribute.attachmentTitle && attachment) attachment.title = data;
    else if (id === attribute.attachmentData && attachment) attachment.data = data;
    else if (id === attribute.attachmentProperties && attachment) attachment.properties = mapiProperties(data, readProperties);
  }
  // Some programs pad with zeros; anything else is a truncated attribute.
  if (reader.take(reader.remaining).some((byte) => byte !== 0)) throw new RangeError('an attribute is cut off');
  return message;
}

/** A nested message: its text and attachments, as files. */
function embeddedMessage(content: Buffer, name: string, room: RemainingLimits, depth: number): WinmailAttachment[] | null {
  const inner = depth < maximumDepth ? decoded(content, room, depth + 1) : null;
  if (inner === null) return null;
  const bodies: [string, string, Buffer | string | null][] = [
    ['txt', 'text/plain', inner.text],
    ['html', 'text/html', inner.html],
    ['rtf', 'application/rtf', inner.rtf],
  ];
  const files = bodies.flatMap(([extension, contentType, body]) =>
    body === null
      ? []
      : [{ filename: `${name || 'message'}.${extension}`, contentType, contentId: null, content: Buffer.from(body as string) }],
  );
  takeAttachments(room, files.length);
  return [...files, ...inner.attachments];
}

function toAttachments(attachment: RawAttachment, codePage: number, room: RemainingLimits, depth: number): WinmailAttachment[] {
  const { title, data, properties } = attachment;
  const read = (id: number) => textOf(properties.get(id), codePage);
  const short = read(property.shortName) ?? (title === null ? null : withoutTrailingNul(decode(title, codePage)));
  const filename = read(property.longName) || short || read(property.displayName) || '';
  const value = properties.get(property.data);
  // An object begins with the id of its interface.
  const content = value === undefined ? data : value.bytes.subarray(value.type === object ? 16 : 0);
  if (content === null) return [];
  const inner = value?.type === object ? embeddedMessage(content, read(property.displayName) || filename, room, depth) : null;
  const contentId = read(property.contentId)?.replace(/^<|>$/g, '') || null;
  return inner ?? [{ filename, contentType: read(property.contentType) || null, contentId, content }];
}

/** The declared length of decompressed RTF (MS-OXRTFCP 2.1.3.1.1), which decompression does not exceed. */
function declaredLength(value: MapiProperty | undefined): number {
  return value !== undefined && value.bytes.length >= 8 ? value.bytes.readUInt32LE(4) : 0;
}

/** Invalid RTF is dropped; the rest of the message is still useful. */
function rtfOf(value: MapiProperty | undefined, room: RemainingLimits): Buffer | null {
  if (value === undefined) return null;
  // Counted even on failure, since the work is done.
  room.rtfBytes -= declaredLength(value);
  try {
    return decompressRtf(value.bytes);
  } catch {
    return null;
  }
}

function decoded(bytes: Buffer, room: RemainingLimits, depth: number): Winmail | null {
  try {
    const { codePage, body, properties, attachments } = readAttributes(bytes, room);
    const htmlPage = properties.get(property.htmlCodePage)?.bytes.readUInt32LE() ?? codePage;
    const text = textOf(properties.get(property.body), codePage) ?? (body && textOf({ type: 0, bytes: body }, codePage));
    const html = textOf(properties.get(property.html), htmlPage);
    const hasText = text !== null || html !== null;
    const written = properties.get(property.rtf);
    const fits = declaredLength(written) <= room.rtfBytes;
    if (!fits && !hasText) throw new RangeError('the only body is too long');
    // In a nested message, RTF next to another body is not used.
    const rtf = fits && (depth === 0 || !hasText) ? rtfOf(written, room) : null;
    const files = attachments.flatMap((attachment) => toAttachments(attachment, codePage, room, depth));
    return hasText || rtf !== null || files.length > 0 ? { text, html, rtf, attachments: files } : null;
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/**
 * Decodes a winmail.dat, in linear time and memory; null if the bytes are invalid, truncated, without useful content or with
 * more attachments than `limits` allow.
 */
export function decodeWinmail(bytes: Buffer, limits: Readonly<WinmailLimits> = winmailLimits): Winmail | null {
  try {
    return decoded(bytes, { ...limits }, 0);
  } catch (error) {
    if (error instanceof TooManyAttachments) return null;
    throw error;
  }
}
