/**
 * Streaming tar archives (POSIX.1-1988 "ustar"), limited to what a backup needs: plain files with short names. `tar` can list
 * and unpack them.
 */

/** One file of an archive. */
export interface Entry {
  /** At most 100 characters of ASCII. */
  name: string;
  /** In bytes. */
  size: number;
  content: AsyncIterable<Uint8Array>;
}

/** An archive that is truncated, or that this code did not write. */
export class DamagedArchive extends Error {
  override name = 'DamagedArchive';

  constructor(what: string) {
    super(`The backup is damaged: ${what}.`);
  }
}

const blockSize = 512;
/** Largest value of eleven octal digits. */
const octalMaximum = 8 ** 11 - 1;

const zeros = (length: number) => Buffer.alloc(length);
const paddingOf = (size: number) => (blockSize - (size % blockSize)) % blockSize;

/** The sum over all bytes of a header, with its own field counted as spaces. */
function checksumOf(header: Buffer): number {
  let sum = 0;
  for (const [index, byte] of header.entries()) sum += index >= 148 && index < 156 ? 32 : byte;
  return sum;
}

function headerOf(name: string, size: number, modifiedAt: Date): Buffer {
  if (!/^[\x21-\x7e]{1,100}$/.test(name)) throw new Error(`${name} is no name for a file in a backup.`);
  const header = zeros(blockSize);
  header.write(name, 0);
  header.write('0000600\0' + '0000000\0' + '0000000\0', 100);
  // A larger size is written as a base-256 number, as GNU tar and others do.
  if (size <= octalMaximum) {
    header.write(size.toString(8).padStart(11, '0'), 124);
  } else {
    header.writeUInt8(0x80, 124);
    header.writeBigUInt64BE(BigInt(size), 128);
  }
  header.write(
    Math.floor(modifiedAt.getTime() / 1000)
      .toString(8)
      .padStart(11, '0'),
    136,
  );
  header.write('0', 156);
  header.write('ustar\x0000', 257);
  header.write(`${checksumOf(header).toString(8).padStart(6, '0')}\0 `, 148);
  return header;
}

function textAt(header: Buffer, from: number, length: number): string {
  return header
    .subarray(from, from + length)
    .toString('latin1')
    .replace(/[\0 ]*\0.*$/s, '')
    .trim();
}

function numberAt(header: Buffer, from: number, length: number): number {
  if (header[from] === 0x80) return Number(header.readBigUInt64BE(from + length - 8));
  const text = textAt(header, from, length);
  return /^[0-7]+$/.test(text) ? Number.parseInt(text, 8) : Number.NaN;
}

/** The bytes of an archive of these files; their contents are read one after the other. */
export async function* writeArchive(entries: AsyncIterable<Entry>): AsyncGenerator<Uint8Array> {
  for await (const { name, size, content } of entries) {
    yield headerOf(name, size, new Date());
    let written = 0;
    for await (const chunk of content) {
      written += chunk.length;
      yield chunk;
    }
    if (written !== size) throw new Error(`${name} has ${written} bytes instead of ${size}: it changed while it was read.`);
    yield zeros(paddingOf(size));
  }
  yield zeros(2 * blockSize);
}

/** Reads a stream in chunks of requested sizes. */
class ByteSource {
  private rest: Buffer = Buffer.alloc(0);
  private readonly iterator: AsyncIterator<Uint8Array>;

  constructor(source: AsyncIterable<Uint8Array>) {
    this.iterator = source[Symbol.asyncIterator]();
  }

  /** The next `length` bytes in pieces, as they arrive. */
  async *pieces(length: number): AsyncGenerator<Buffer> {
    for (let missing = length; missing > 0; ) {
      if (this.rest.length === 0) {
        const { value, done } = await this.iterator.next();
        if (done) throw new DamagedArchive('it ends too early');
        this.rest = Buffer.from(value.buffer, value.byteOffset, value.byteLength);
      }
      const piece = this.rest.subarray(0, missing);
      this.rest = this.rest.subarray(piece.length);
      missing -= piece.length;
      yield piece;
    }
  }

  async take(length: number): Promise<Buffer> {
    const pieces: Buffer[] = [];
    for await (const piece of this.pieces(length)) pieces.push(piece);
    return Buffer.concat(pieces);
  }

  async close(): Promise<void> {
    await this.iterator.return?.();
  }
}

const isEmpty = (block: Buffer) => block.every((byte) => byte === 0);

/**
 * The files of an archive in order. Read the content of each before requesting the next one; unread content is skipped.
 *
 * @throws DamagedArchive
 */
export async function* readArchive(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Entry> {
  const source = new ByteSource(bytes);
  try {
    for (;;) {
      const header = await source.take(blockSize);
      if (isEmpty(header)) {
        if (!isEmpty(await source.take(blockSize))) throw new DamagedArchive('something follows its end');
        return;
      }
      const size = numberAt(header, 124, 12);
      const isSound = numberAt(header, 148, 8) === checksumOf(header) && header[156] === 0x30 && Number.isSafeInteger(size);
      if (!isSound) throw new DamagedArchive('there is something else where a file should begin');
      let unread = size;
      const content = async function* () {
        for await (const piece of source.pieces(unread)) {
          unread -= piece.length;
          yield piece;
        }
      };
      yield { name: textAt(header, 0, 100), size, content: content() };
      for await (const _ of source.pieces(unread));
      await source.take(paddingOf(size));
    }
  } finally {
    await source.close();
  }
}
