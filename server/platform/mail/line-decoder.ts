import { Transform, type TransformCallback } from 'node:stream';

/** Size of a decoded block, in bytes. */
const blockSize = 64 * 1024;

/** A longer line is cut, in bytes: it is not readable text. */
const longestLine = 1024 * 1024;

/** In bytes; of a longer line's end, the place for the cut is looked for. */
const cutSearch = 1024;

const lineFeed = 0x0a;

/** A place for a cut within a line: not in an escape of quoted-printable (`=41`), nor after white space, which it drops at an end. */
function cutWithin(line: Buffer): number {
  const isBlank = (byte = 0) => byte === 0x20 || byte === 0x09;
  const equals = 0x3d;
  for (let end = line.length; end > Math.max(line.length - cutSearch, 2); end--) {
    const [before, last] = [line[end - 2], line[end - 1]];
    if (!isBlank(last) && last !== equals && before !== equals) return end;
  }
  return line.length;
}

/**
 * Decodes a text in blocks of whole lines, each with a new decoder: for encodings that reset at each line, like ISO-2022-JP (RFC
 * 1468) and quoted-printable (RFC 2045 6.7), whose decoders hold all of a text in memory.
 */
export class LineDecoder extends Transform {
  private pending: Buffer[] = [];
  private size = 0;

  constructor(private readonly create: () => Transform) {
    super();
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.pending.push(chunk);
    this.size += chunk.length;
    const hasEnd = this.size >= blockSize && chunk.includes(lineFeed);
    if (!hasEnd && this.size < longestLine) {
      done();
      return;
    }
    const content = Buffer.concat(this.pending);
    this.decode(content, hasEnd ? content.lastIndexOf(lineFeed) + 1 : cutWithin(content), done);
  }

  override _flush(done: TransformCallback): void {
    const content = Buffer.concat(this.pending);
    this.decode(content, content.length, done);
  }

  private decode(content: Buffer, end: number, done: TransformCallback): void {
    this.pending = [content.subarray(end)];
    this.size = content.length - end;
    const decoder = this.create();
    decoder.on('data', (decoded) => this.push(decoded));
    decoder.once('error', done);
    decoder.once('end', done);
    decoder.end(content.subarray(0, end));
  }
}
