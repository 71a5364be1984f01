import { createHash, randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { type FileHandle, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { env } from '../env';

/**
 * Files below DATA_DIR, named by the SHA-256 of their content, so that equal files are stored once.
 * A file is complete and synced to disk before it gets its name, and a row refers to it only after that. So after a crash every
 * row has its file. A file whose row was never written is removed by `removeUnreferenced`.
 */

/** A stored file, as referenced by rows. */
export interface StoredFile {
  /** In lower-case hexadecimal. */
  sha256: string;
  /** In bytes. */
  size: number;
}

/** The content exceeds the given limit. */
export class FileTooLarge extends Error {
  override name = 'FileTooLarge';
}

function directory(): string {
  return path.join(env().DATA_DIR, 'files');
}

function pathOf(sha256: string): string {
  return path.join(directory(), sha256.slice(0, 2), sha256);
}

/** Creates a folder directly below the files' folder, and syncs it. */
async function makeFolder(folder: string): Promise<void> {
  try {
    const made = await mkdir(folder, { recursive: true, mode: 0o700 });
    if (made === undefined) return;
    await syncToDisk(directory(), 'r');
    await syncToDisk(path.dirname(directory()), 'r');
  } catch (error) {
    // On a read-only file system Node.js reports ENOENT for a recursive mkdir, and the real error for a plain one.
    if ((error as { code?: string }).code !== 'ENOENT') throw error;
    for (const missing of [directory(), folder]) {
      await mkdir(missing, { mode: 0o700 }).catch((reason: { code?: string }) => {
        if (reason.code !== 'EEXIST') throw reason;
      });
    }
  }
}

/** A unique file name for content that is still arriving; after a crash the sweep removes it. */
export async function temporaryPath(): Promise<string> {
  const folder = path.join(directory(), 'incoming');
  await makeFolder(folder);
  return path.join(folder, randomUUID());
}

async function syncToDisk(target: string, flags: string): Promise<void> {
  let handle: FileHandle | undefined;
  try {
    handle = await open(target, flags);
    await handle.sync();
  } catch (error) {
    // Windows can't open a folder; there the rename itself is durable.
    if (process.platform !== 'win32') throw error;
  } finally {
    await handle?.close();
  }
}

/**
 * Moves a complete temporary file to its final name. An existing file of the same content is replaced, so that its age shows
 * that it is in use again.
 */
async function moveToFinalName(temporary: string, sha256: string): Promise<void> {
  const target = pathOf(sha256);
  await syncToDisk(temporary, 'r+');
  await makeFolder(path.dirname(target));
  await rename(temporary, target);
  await syncToDisk(path.dirname(target), 'r');
}

/** A transform that counts and hashes, and fails beyond `maximumBytes`. */
function measuringTransform(maximumBytes: number): { transform: Transform; result: () => StoredFile } {
  const hash = createHash('sha256');
  let size = 0;
  const transform = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      size += chunk.length;
      hash.update(chunk);
      if (size > maximumBytes) done(new FileTooLarge(`more than ${maximumBytes} bytes`));
      else done(null, chunk);
    },
  });
  return { transform, result: () => ({ sha256: hash.digest('hex'), size }) };
}

/**
 * Stores a stream without buffering it in memory.
 * @throws FileTooLarge beyond `maximumBytes`; nothing is kept after this or any other error.
 */
export async function storeStream(content: Readable, maximumBytes = Number.POSITIVE_INFINITY): Promise<StoredFile> {
  const temporary = await temporaryPath();
  const { transform, result } = measuringTransform(maximumBytes);
  try {
    await pipeline(content, transform, createWriteStream(temporary, { flags: 'wx', mode: 0o600 }));
    const file = result();
    await moveToFinalName(temporary, file.sha256);
    return file;
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

/** Stores bytes from memory. */
export function storeBytes(content: Uint8Array): Promise<StoredFile> {
  return storeStream(Readable.from([content]));
}

/** Opens a stored file; null if there is none of this hash. */
export async function openStored(sha256: string): Promise<{ size: number; stream: Readable } | null> {
  if (!/^[0-9a-f]{64}$/.test(sha256)) return null;
  try {
    const { size } = await stat(pathOf(sha256));
    return { size, stream: createReadStream(pathOf(sha256)) };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/**
 * Handles a file that was moved to its final name or removed by another server's sweep. @returns false; rethrows other errors
 */
function falseIfMissing(error: NodeJS.ErrnoException): false {
  if (error.code === 'ENOENT') return false;
  throw error;
}

/** Held exclusively to remove files, and shared to prevent it: a backup's snapshot may name files that no current row names. */
export const sweepLease = 'sweep-files';

/** A younger file may belong to an open transaction. */
const graceMilliseconds = 24 * 60 * 60 * 1000;

async function removeOld(file: string, now: number): Promise<boolean> {
  const found = await stat(file).catch(falseIfMissing);
  if (!found || now - found.mtimeMs < graceMilliseconds) return false;
  // Moved aside first: a concurrent upload of the same content either creates a new file or is moved along with this one.
  const aside = path.join(directory(), 'incoming', randomUUID());
  if (!(await rename(file, aside).then(() => true, falseIfMissing))) return false;
  if ((await stat(aside)).mtimeMs !== found.mtimeMs) {
    await rename(aside, file);
    return false;
  }
  await rm(aside);
  return true;
}

/**
 * Removes files without a row that are older than a day, and the remains of interrupted uploads. Safe to run at any time.
 * @param referenced returns which of these hashes rows name
 * @returns the number of removed files
 */
export async function removeUnreferenced(
  referenced: (hashes: string[]) => Promise<ReadonlySet<string>>,
  now = Date.now(),
): Promise<number> {
  await temporaryPath(); // creates the folder if missing
  let removed = 0;
  for (const folder of await readdir(directory())) {
    const files = await readdir(path.join(directory(), folder));
    const named = folder === 'incoming' ? new Set<string>() : await referenced(files);
    for (const file of files) {
      if (named.has(file)) continue;
      if (await removeOld(path.join(directory(), folder, file), now)) removed++;
    }
  }
  return removed;
}
