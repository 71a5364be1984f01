import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { type StoredFile, storeStream, temporaryPath } from '../files/content-store';

/** Largest message that is taken in, in bytes (contract section 2). */
export const maximumMailBytes = 25 * 1024 * 1024;

/** Up to this many bytes a message is held in memory; a larger one waits in a temporary file. */
const memoryBytes = 256 * 1024;

/** The bytes of one message (RFC 5322), received whole. */
export interface RawMail {
  /** In bytes, of what was kept. */
  size: number;
  /** SHA-256 in hexadecimal, of what was kept. */
  sha256: string;
  /** True where more than the limit came in: only that much was kept. */
  isTruncated: boolean;
  /** The bytes, from the start; may be called again. */
  open(): Readable;
  /** Puts the bytes into the content store, for good. */
  store(): Promise<StoredFile>;
  /** Frees what they take; to be called in any case. */
  discard(): Promise<void>;
}

interface Spool {
  write(chunk: Buffer): Promise<void>;
  open(): Readable;
  discard(): Promise<void>;
}

function memorySpool(): Spool & { chunks: Buffer[] } {
  const chunks: Buffer[] = [];
  return {
    chunks,
    write: async (chunk) => void chunks.push(chunk),
    open: () => Readable.from(chunks.length === 0 ? [Buffer.alloc(0)] : chunks),
    discard: async () => void chunks.splice(0),
  };
}

/** Not durable on purpose: until a message is stored, its sender still has it. */
async function fileSpool(): Promise<Spool> {
  const file = await temporaryPath();
  const handle: FileHandle = await open(file, 'wx', 0o600);
  return {
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
  /** True where what is beyond the limit has to be read (and is dropped), as SMTP wants it; else reading stops there. */
  readOn: boolean;
}

/**
 * Receives one message. A small one stays in memory and a larger one goes to a temporary file as it comes, so that memory does not
 * grow with it.
 *
 * @throws whatever the stream fails with; nothing is left behind then
 */
export async function receiveRawMail(
  content: AsyncIterable<Uint8Array>,
  { maximumBytes = maximumMailBytes, readOn }: ReceiveOptions,
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
      if (room <= 0 && readOn) continue;
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
    open: spool.open,
    store: () => storeStream(spool.open()),
    discard: spool.discard,
  };
}
