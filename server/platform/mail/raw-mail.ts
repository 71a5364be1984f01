import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { storeStream } from '../files/content-store';
import type { StoredFile } from '../files/file-store';
import { temporaryPath } from '../files/spool';

/** Maximum message size in bytes (contract section 2). */
export const maximumMailBytes = 25 * 1024 * 1024;

/**
 * Maximum bytes held in memory; a larger message is written to a temporary file, and parsed in a thread. The slowest messages of
 * this size hold the event loop for 75 ms.
 */
const memoryBytes = 32 * 1024;

/** The raw bytes of one message (RFC 5322), completely received. */
export interface RawMail {
  /** In bytes; of the kept part. */
  size: number;
  /** SHA-256 in hexadecimal, of the kept part. */
  sha256: string;
  /** True if the message exceeded the limit and was cut there. */
  isTruncated: boolean;
  /** The temporary file of a large message; null if it is in memory. */
  file: string | null;
  /** A new stream of the bytes; may be called repeatedly. */
  open(): Readable;
  /** Stores the bytes permanently in the content store. */
  store(): Promise<StoredFile>;
  /** Frees memory and temporary files; must always be called. */
  discard(): Promise<void>;
}

interface Spool {
  file: string | null;
  write(chunk: Buffer): Promise<void>;
  open(): Readable;
  discard(): Promise<void>;
}

function memorySpool(): Spool & { chunks: Buffer[] } {
  const chunks: Buffer[] = [];
  return {
    chunks,
    file: null,
    write: async (chunk) => void chunks.push(chunk),
    open: () => Readable.from(chunks.length === 0 ? [Buffer.alloc(0)] : chunks),
    discard: async () => void chunks.splice(0),
  };
}

/** Not synced on purpose: until a message is stored, its sender still has it. */
async function fileSpool(): Promise<Spool> {
  const file = await temporaryPath();
  const handle: FileHandle = await open(file, 'wx', 0o600);
  return {
    file,
    write: (chunk) => handle.appendFile(chunk),
    open: () => createReadStream(file),
    discard: async () => {
      await handle.close();
      await rm(file, { force: true });
    },
  };
}

interface ReceiveOptions {
  maximumBytes?: number;
  /** True to read (and drop) bytes beyond the limit, as SMTP requires; else reading stops there. */
  drainExcess: boolean;
}

/**
 * Receives one message. A small one stays in memory; a larger one is streamed to a temporary file, which bounds memory.
 * @throws errors of the stream, after cleaning up
 */
export async function receiveRawMail(
  content: AsyncIterable<Uint8Array>,
  { maximumBytes = maximumMailBytes, drainExcess }: ReceiveOptions,
): Promise<RawMail> {
  const hash = createHash('sha256');
  const memory = memorySpool();
  let spool: Spool = memory;
  let size = 0;
  let isTruncated = false;
  try {
    for await (const piece of content) {
      const room = maximumBytes - size;
      if (piece.byteLength > room) isTruncated = true;
      if (room <= 0 && drainExcess) continue;
      if (room <= 0) break;
      const chunk = Buffer.from(piece.subarray(0, room));
      size += chunk.length;
      hash.update(chunk);
      if (spool === memory && size > memoryBytes) {
        spool = await fileSpool();
        for (const earlier of memory.chunks) await spool.write(earlier);
        await memory.discard();
      }
      await spool.write(chunk);
    }
  } catch (error) {
    await spool.discard();
    throw error;
  }
  return {
    size,
    sha256: hash.digest('hex'),
    isTruncated,
    file: spool.file,
    open: spool.open,
    store: () => storeStream(spool.open()),
    discard: spool.discard,
  };
}
