import { Transform, type TransformCallback } from 'node:stream';

/** Size of a decoded block, in bytes. */
const blockSize = 64 * 1024;

/** A longer line is cut anywhere, in bytes: it is not readable text. */
const longestLine = 1024 * 1024;

const lineFeed = 0x0a;

/**
 * Decodes a text in blocks of whole lines, each with a new decoder. For charsets that reset at each line, like ISO-2022-JP (RFC
 * 1468).
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
    if (hasEnd || this.size >= longestLine) this.decode(hasEnd, done);
    else done();
  }

  override _flush(done: TransformCallback): void {
    this.decode(false, done);
  }

  private decode(toLineEnd: boolean, done: TransformCallback): void {
    const content = Buffer.concat(this.pending);
    const end = toLineEnd ? content.lastIndexOf(lineFeed) + 1 : content.length;
    this.pending = [content.subarray(end)];
    this.size = content.length - end;
    const decoder = this.create();
    decoder.on('data', (decoded) => this.push(decoded));
    decoder.once('error', done);
    decoder.once('end', done);
    decoder.end(content.subarray(0, end));
  }
}
