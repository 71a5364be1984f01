import { once } from 'node:events';
import type { Readable, Transform } from 'node:stream';
import { type AddressObject, type HeaderLines, MailParser } from 'mailparser';
import { unflowed } from './flowed-text';
import { LineDecoder } from './line-decoder';

/**
 * mailparser's streaming parser, with the few places changed in which it would lose something or fail in a way nobody could catch.
 * These places are not part of its interface, so its version is pinned and the tests of parse-mail cover each of them.
 */

/** A header as it came: `key` in lower case, `line` with its name and folding, one character a byte. */
export type HeaderLine = HeaderLines[number];

/** A text part of the message, decoded. */
export interface TextPart {
  type: 'text/plain' | 'text/html';
  content: string;
  /** Which multipart/alternative (the outermost one) it stands in; null outside of any. */
  alternative: object | null;
}

/** A part that is not text of the message. `content` has to be read to its end, then `release` called. */
export interface AttachmentPart {
  type: 'attachment';
  content: Readable;
  contentType: string;
  contentDisposition?: string;
  filename?: string;
  cid?: string;
  release(): void;
}

/** What the parser delivers: attachments as they come, the text last. */
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
  /** Whether its text is `format=flowed`. */
  flowed?: boolean;
  delSp?: boolean;
}

/** The part of MailParser that the declarations leave out. */
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
  /** @throws for a charset nobody knows */
  decodeStream(charset: string): Transform;
}

interface StreamOptions {
  maxHeadSize: number;
  maxChildNodes: number;
  ignoreEmbedded: boolean;
  keepDeliveryStatus: boolean;
}

const Parser = MailParser as unknown as new (options: StreamOptions) => ParserInternals;

/** Largest block of headers, in bytes, of the message and of each of its parts. */
const maximumHeaderBytes = 1024 * 1024;

/** Parts a message may have, itself included. */
const maximumParts = 1000;

/** Of longer headers the beginning is decoded, in bytes. */
const maximumLineLength = 256 * 1024;

/** What is decoded of all headers with addresses together, in bytes: reading a megabyte of what is hardest to read takes a second. */
const maximumAddressBytes = 256 * 1024;

/** The headers that are read of the message; of those that may stand there once, the first one counts. */
const single = new Set(['from', 'sender', 'subject', 'reply-to', 'content-type', 'content-disposition', 'content-id']);
const several = new Set(['to', 'cc', 'bcc', 'delivered-to']);
const withAddresses = new Set(['from', 'sender', 'reply-to', ...several]);

/** The only header mailparser reads of the parts within a message; their type, name and encoding come from the splitter. */
const ofParts = new Set(['content-id']);

/** The headers to decode, of a message or of a part within one. */
function wantedOf(lines: readonly HeaderLine[], isMessage: boolean): HeaderLine[] {
  const seen = new Set<string>();
  return lines.filter(({ key }) => {
    if (isMessage && several.has(key)) return true;
    if (!(isMessage ? single : ofParts).has(key) || seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

/** The beginning of a header, up to the last comma: half an address may be the address of somebody else. */
function cutAddresses(line: string, length: number): string {
  return line.length <= length ? line : line.slice(0, Math.max(line.lastIndexOf(',', length - 1), 0));
}

/**
 * Headers that are not longer than is decoded. Where those with addresses are too long together, recipients give way to who wrote the
 * message, and longer headers to shorter ones.
 */
function shortened(lines: readonly HeaderLine[]): HeaderLine[] {
  const addresses = lines.filter(({ key }) => withAddresses.has(key));
  addresses.sort(
    (one, other) => Number(several.has(one.key)) - Number(several.has(other.key)) || one.line.length - other.line.length,
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

/** Longer lines are no delimiters, in bytes. */
const maximumDelimiter = 1000;

/** A line that may be a delimiter, without the white space at its end that is none of it (RFC 2046 5.1.1). */
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
  /** Of the message itself, as they came. */
  lines: HeaderLine[] = [];
  /** Of the message itself, decoded by mailparser. */
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

  /** mailparser keeps the last of several headers of a name, and decodes dozens that nobody here looks at. */
  override processHeaders(lines: HeaderLine[]): Map<string, unknown> {
    const isMessage = this.tree === false;
    const decoded = super.processHeaders(shortened(wantedOf(lines, isMessage)));
    if (isMessage) {
      this.lines = lines;
      this.decoded = decoded;
    }
    return decoded;
  }

  /** mailparser calls this from an event handler, where an error thrown would end the process. */
  override processChunk(chunk: SplitChunk, done: (error?: unknown) => void): void {
    // A text file that a mail program shows among the text keeps its name only where it is an attachment.
    const followsText = this.hasText || this.hasHtml;
    if (chunk.type === 'node' && followsText && chunk.disposition === 'inline' && chunk.filename)
      chunk.disposition = 'attachment';
    // mailparser joins quoted lines with their marks between the words.
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

  /** mailparser ends at once where any part has ended before, and so loses the end of a last part that nothing closes. */
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

  /** The members of an address header, of all its occurrences. */
  addressObjects(key: string): AddressObject[] {
    return ([this.decoded.get(key) ?? []] as (AddressObject | AddressObject[])[]).flat();
  }

  /** Decodes encoded words (RFC 2047); as it came where that is impossible. */
  decodeWords(text: string): string {
    try {
      return this.libmime.decodeWords(text);
    } catch {
      return text;
    }
  }

  /** The usual file name extension of a content type, without a dot; null for an unknown one. */
  extensionOf(contentType: string): string | null {
    const extension = this.libmime.detectExtension(contentType);
    return extension === 'bin' ? null : extension;
  }
}
