import { once } from 'node:events';
import type { Readable, Transform } from 'node:stream';
import { type AddressObject, type HeaderLines, MailParser } from 'mailparser';
import { unflowed } from './flowed-text';
import { LineDecoder } from './line-decoder';

/**
 * mailparser's streaming parser, with fixes where it would lose data or throw errors that can't be caught. These fixes use
 * internals, so the version is pinned, and the tests of parse-mail cover each of them.
 */

/** A raw header: `key` in lower case, `line` with its name and folding, one character per byte. */
export type HeaderLine = HeaderLines[number];

/** A text part of the message, decoded. */
export interface TextPart {
  type: 'text/plain' | 'text/html';
  content: string;
  /** The outermost multipart/alternative that contains it; null if there is none. */
  alternative: object | null;
}

/** A part that is not the message's text. Read `content` to its end, then call `release`. */
export interface AttachmentPart {
  type: 'attachment';
  content: Readable;
  contentType: string;
  contentDisposition?: string;
  filename?: string;
  cid?: string;
  release(): void;
}

/** The parser's output: attachments as they arrive, the text last. */
export type MailItem = AttachmentPart | { type: 'text'; parts: TextPart[] };

interface ParserNode {
  contentType: string | false;
  children: ParserNode[];
  textContent?: string;
  decoder?: Transform;
  contentStream?: Readable;
  isAttachment?: boolean;
  parent?: ParserNode;
  node?: SplitChunk;
}

interface SplitChunk {
  type: string;
  disposition?: string | false;
  filename?: string | false;
  parentNode?: unknown;
  /** True for `format=flowed` text. */
  flowed?: boolean;
  delSp?: boolean;
}

/** Internals of MailParser that its types omit. */
interface ParserInternals extends Transform {
  tree: ParserNode | false;
  splitter: { checkBoundary(line: Buffer): number | false };
  hasText: boolean;
  hasHtml: boolean;
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

function leavesOf(node: ParserNode): ParserNode[] {
  const leaves: ParserNode[] = [];
  const waiting = [node];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (next.children.length === 0) leaves.push(next);
    else for (const child of [...next.children].reverse()) waiting.push(child);
  }
  return leaves;
}

/** The outermost multipart/alternative around a part. */
function alternativeOf(node: ParserNode): ParserNode | null {
  let found: ParserNode | null = null;
  for (let above = node.parent; above !== undefined; above = above.parent) {
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

export class MailStream extends Parser {
  private readonly flowed = new Set<SplitChunk>();
  /** The message's own raw headers. */
  lines: HeaderLine[] = [];
  /** The message's own headers, decoded by mailparser. */
  decoded: Map<string, unknown> = new Map();

  constructor() {
    super({ maxHeadSize: maximumHeaderBytes, maxChildNodes: maximumParts, ignoreEmbedded: true, keepDeliveryStatus: true });
    const { splitter } = this;
    const checkBoundary = splitter.checkBoundary.bind(splitter);
    splitter.checkBoundary = (line) => checkBoundary(withoutPadding(line));
  }

  /** mailparser decodes JIS texts as a whole, which takes 60 times their size in memory. */
  override getDecoder(): Decoders {
    const decoders = super.getDecoder();
    const decodeStream = (charset: string): Transform => {
      const isJis = /^(?:cs)?(?:jis|iso-?2022-?jp)/i.test(charset);
      return isJis ? new LineDecoder(() => decoders.decodeStream(charset)) : decoders.decodeStream(charset);
    };
    return { decodeStream };
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
    // A text file shown inline keeps its name only as an attachment.
    const followsText = this.hasText || this.hasHtml;
    if (chunk.type === 'node' && followsText && chunk.disposition === 'inline' && chunk.filename)
      chunk.disposition = 'attachment';
    // mailparser joins quoted lines with their quote marks in the middle.
    if (chunk.type === 'node' && chunk.flowed) {
      chunk.flowed = false;
      this.flowed.add(chunk);
    }
    try {
      super.processChunk(chunk, done);
    } catch (error) {
      done(error);
    }
  }

  /** mailparser finishes immediately if any part has ended before, and so loses the end of an unclosed last part. */
  cleanup(done: (error?: Error) => void): void {
    this.textEnded().then(
      () => {
        this.push({ type: 'text', parts: this.textParts() } satisfies MailItem);
        done();
      },
      (error) => done(error as Error),
    );
  }

  private async textEnded(): Promise<void> {
    if (this.tree === false) return;
    for (const { decoder, contentStream } of leavesOf(this.tree)) {
      if (contentStream === undefined || contentStream.readableEnded || contentStream.destroyed) continue;
      const ended = once(contentStream, 'end');
      if (decoder?.writableEnded === false) decoder.end();
      await ended;
    }
  }

  private textParts(): TextPart[] {
    if (this.tree === false) return [];
    return leavesOf(this.tree).flatMap((node) => {
      const { contentType: type, textContent, node: chunk } = node;
      if (textContent === undefined || (type !== 'text/plain' && type !== 'text/html')) return [];
      const isFlowed = chunk !== undefined && this.flowed.has(chunk);
      const content = isFlowed ? unflowed(textContent, chunk.delSp === true) : textContent;
      return [{ type, content, alternative: alternativeOf(node) }];
    });
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
