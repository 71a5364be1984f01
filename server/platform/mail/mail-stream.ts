import type { Readable, Transform } from 'node:stream';
import { type AddressObject, type HeaderLines, MailParser } from 'mailparser';
import { LineDecoder } from './line-decoder';

/**
 * mailparser's streaming parser, with fixes where it would lose data or throw errors that can't be caught. These fixes use
 * internals, so the version is pinned, and the tests of parse-mail cover each of them.
 */

/** A raw header: `key` in lower case, `line` with its name and folding, one character per byte. */
export type HeaderLine = HeaderLines[number];

/** What is special about a part that is text of the message itself. */
export interface TextForm {
  type: 'text/plain' | 'text/html';
  /** As the message names it; null for none. */
  charset: string | null;
  /** True for `format=flowed` (RFC 3676), and for its `delsp=yes`. */
  isFlowed: boolean;
  delSp: boolean;
  /** The outermost multipart/alternative that contains it; null if there is none. */
  alternative: object | null;
}

/** A text of the message, decoded and possibly cut. */
export interface TextPart extends Pick<TextForm, 'type' | 'alternative'> {
  content: string;
}

/** A part of the message. Read `content` to its end, then call `release`. */
export interface MailPart {
  /** The part's bytes, decoded from their transfer encoding. */
  content: Readable;
  contentType: string;
  contentDisposition?: string;
  filename?: string;
  cid?: string;
  /** Missing for an attachment. */
  text?: TextForm;
  release(): void;
}

interface ParserNode {
  contentType: string | false;
  parent?: ParserNode;
}

interface SplitChunk {
  type: string;
  /** False for none, which is plain text in the message itself. */
  contentType?: string | false;
  root?: boolean;
  charset?: string | false;
  disposition?: string | false;
  filename?: string | false;
  /** True for `format=flowed` text. */
  flowed?: boolean;
  delSp?: boolean;
  /** The transfer encoding. */
  encoding?: string | false;
  getDecoder?(): Transform;
}

/** Internals of MailParser that its types omit. */
interface ParserInternals extends Transform {
  tree: ParserNode | false;
  curnode: ParserNode | false;
  splitter: { checkBoundary(line: Buffer): number | false };
  libmime: { decodeWords(text: string): string; detectExtension(contentType: string): string };
  getDecoder(): Decoders;
  processHeaders(lines: HeaderLine[]): Map<string, unknown>;
  processChunk(chunk: SplitChunk, done: (error?: unknown) => void): void;
}

interface Decoders {
  /** @throws for an unknown charset */
  decodeStream(charset: string): Transform;
}

interface StreamOptions {
  maxHeadSize: number;
  maxChildNodes: number;
  ignoreEmbedded: boolean;
  keepDeliveryStatus: boolean;
}

const Parser = MailParser as unknown as new (options: StreamOptions) => ParserInternals;

/** Maximum header block in bytes, of the message and of each part. */
const maximumHeaderBytes = 1024 * 1024;

/** Maximum parts of a message, including itself. */
const maximumParts = 1000;

/** Of a longer header only the beginning is decoded, in bytes. */
const maximumLineLength = 256 * 1024;

/** Maximum bytes to decode of all address headers together: a megabyte of the slowest input takes a second. */
const maximumAddressBytes = 256 * 1024;

/** The decoded headers of a message; the first one wins if only one is allowed. */
const singleHeaders = new Set(['from', 'sender', 'subject', 'reply-to', 'content-type', 'content-disposition', 'content-id']);
const repeatableHeaders = new Set(['to', 'cc', 'bcc', 'delivered-to']);
const addressHeaders = new Set(['from', 'sender', 'reply-to', ...repeatableHeaders]);

/** The only header mailparser reads of the parts; their type, name and encoding come from the splitter. */
const partHeaders = new Set(['content-id']);

/** The headers to decode, of a message or of a part. */
function headersToDecode(lines: readonly HeaderLine[], isMessage: boolean): HeaderLine[] {
  const seen = new Set<string>();
  return lines.filter(({ key }) => {
    if (isMessage && repeatableHeaders.has(key)) return true;
    if (!(isMessage ? singleHeaders : partHeaders).has(key) || seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

/** Truncates a header at its last comma: half an address may be the address of somebody else. */
function cutAddresses(line: string, length: number): string {
  return line.length <= length ? line : line.slice(0, Math.max(line.lastIndexOf(',', length - 1), 0));
}

/**
 * Truncates headers to the decoding limit. If the address headers together are too long, the author takes priority over
 * recipients, and shorter headers over longer ones.
 */
function withinLimits(lines: readonly HeaderLine[]): HeaderLine[] {
  const addresses = lines.filter(({ key }) => addressHeaders.has(key));
  addresses.sort(
    (one, other) =>
      Number(repeatableHeaders.has(one.key)) - Number(repeatableHeaders.has(other.key)) || one.line.length - other.line.length,
  );
  const kept = new Map<HeaderLine, string>();
  let room = maximumAddressBytes;
  for (const header of addresses) {
    const line = cutAddresses(header.line, room);
    kept.set(header, line);
    room -= line.length;
  }
  return lines.flatMap((header) => {
    const line = kept.get(header) ?? header.line.slice(0, maximumLineLength);
    return line === '' ? [] : [{ key: header.key, line }];
  });
}

/** The outermost multipart/alternative around a part. */
function alternativeOf(node: ParserNode | false): ParserNode | null {
  let found: ParserNode | null = null;
  for (let above = node === false ? undefined : node.parent; above !== undefined; above = above.parent) {
    if (above.contentType === 'multipart/alternative') found = above;
  }
  return found;
}

/** In bytes; a longer line is not a delimiter. */
const maximumDelimiter = 1000;

/** A possible delimiter line without trailing white space, which is not part of it (RFC 2046 5.1.1). */
function withoutPadding(line: Buffer): Buffer {
  if (line.length > maximumDelimiter) return line;
  let end = line.length;
  while (end > 0 && (line[end - 1] === 0x0a || line[end - 1] === 0x0d)) end--;
  let start = end;
  while (start > 0 && (line[start - 1] === 0x20 || line[start - 1] === 0x09)) start--;
  return start === end ? line : Buffer.concat([line.subarray(0, start), line.subarray(end)]);
}

function textType({ contentType, root }: SplitChunk): TextForm['type'] | null {
  const type = contentType || (root ? 'text/plain' : '');
  return type === 'text/plain' || type === 'text/html' ? type : null;
}

export class MailStream extends Parser {
  /** The message's own raw headers. */
  lines: HeaderLine[] = [];
  /** The message's own headers, decoded by mailparser. */
  decoded: Map<string, unknown> = new Map();
  private hasText = false;
  /** The text part that mailparser takes for an attachment. */
  private text: SplitChunk | null = null;

  constructor() {
    super({ maxHeadSize: maximumHeaderBytes, maxChildNodes: maximumParts, ignoreEmbedded: true, keepDeliveryStatus: true });
    const { splitter } = this;
    const checkBoundary = splitter.checkBoundary.bind(splitter);
    splitter.checkBoundary = (line) => checkBoundary(withoutPadding(line));
  }

  /**
   * A stream that decodes text of a charset to UTF-8; null if it is UTF-8, or unknown and read as such. JIS is decoded in
   * blocks: mailparser decodes it as a whole, which takes 60 times its size in memory.
   */
  charsetDecoder(charset: string | null): Transform | null {
    if (charset === null || /^(?:us)?ascii$|^utf8$/i.test(charset.replace(/[^a-z0-9]+/gi, ''))) return null;
    const decoders = this.getDecoder();
    try {
      const isJis = /^(?:cs)?(?:jis|iso-?2022-?jp)/i.test(charset);
      return isJis ? new LineDecoder(() => decoders.decodeStream(charset)) : decoders.decodeStream(charset);
    } catch {
      return null;
    }
  }

  /** mailparser keeps the last of repeated headers, and decodes dozens that are unused here. */
  override processHeaders(lines: HeaderLine[]): Map<string, unknown> {
    const isMessage = this.tree === false;
    const decoded = super.processHeaders(withinLimits(headersToDecode(lines, isMessage)));
    if (isMessage) {
      this.lines = lines;
      this.decoded = decoded;
    }
    return decoded;
  }

  /** mailparser calls this from an event handler, where a thrown error would end the process. */
  override processChunk(chunk: SplitChunk, done: (error?: unknown) => void): void {
    this.text = null;
    const decoder = chunk.getDecoder?.bind(chunk);
    if (decoder && chunk.encoding === 'quoted-printable') chunk.getDecoder = () => new LineDecoder(decoder);
    if (chunk.type === 'node' && textType(chunk) !== null) {
      if (this.isText(chunk)) this.text = chunk;
      // mailparser holds all text in memory, whatever its length; attachments are streamed one after the other.
      chunk.disposition = 'attachment';
    }
    try {
      super.processChunk(chunk, done);
    } catch (error) {
      done(error);
    }
  }

  /** Whether a text part is text of the message itself. A text file shown inline after it keeps its name only as an attachment. */
  private isText(chunk: SplitChunk): boolean {
    if (chunk.disposition && chunk.disposition !== 'inline') return false;
    if (this.hasText && chunk.disposition === 'inline' && chunk.filename) return false;
    this.hasText = true;
    return true;
  }

  /** Marks the texts among the parts. */
  override push(part: (MailPart & { type: string }) | null): boolean {
    const { text: chunk } = this;
    const type = chunk && textType(chunk);
    if (part?.type === 'attachment' && chunk && type) {
      const { charset, flowed = false, delSp = false } = chunk;
      part.text = { type, charset: charset || null, isFlowed: flowed, delSp, alternative: alternativeOf(this.curnode) };
    }
    return super.push(part);
  }

  /** mailparser pushes all text here; there is none. */
  cleanup(done: (error?: Error) => void): void {
    done();
  }

  /** The members of an address header, over all its occurrences. */
  addressObjects(key: string): AddressObject[] {
    return ([this.decoded.get(key) ?? []] as (AddressObject | AddressObject[])[]).flat();
  }

  /** Decodes encoded words (RFC 2047); returns the input if that is impossible. */
  decodeWords(text: string): string {
    try {
      return this.libmime.decodeWords(text);
    } catch {
      return text;
    }
  }

  /** The usual file name extension of a content type, without a dot; null if unknown. */
  extensionOf(contentType: string): string | null {
    const extension = this.libmime.detectExtension(contentType);
    return extension === 'bin' ? null : extension;
  }
}
