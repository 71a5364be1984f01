import { randomUUID } from 'node:crypto';
import { type FileHandle, mkdir, open, readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { env } from '../env';
import { DamagedFile, type FileStore, graceMilliseconds, type StoredFile } from './file-store';
import { writeMeasured } from './measured-file';

/** The folder of the local store, and of files that are still arriving, whichever store they go to. */
export function filesDirectory(): string {
  return path.join(env().DATA_DIR, 'files');
}

const incoming = () => path.join(filesDirectory(), 'incoming');

export async function syncToDisk(target: string, flags: string): Promise<void> {
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

/** Creates a folder directly below the files' folder, and syncs it. */
export async function makeFolder(folder: string): Promise<void> {
  const directory = filesDirectory();
  try {
    const made = await mkdir(folder, { recursive: true, mode: 0o700 });
    if (made === undefined) return;
    await syncToDisk(directory, 'r');
    await syncToDisk(path.dirname(directory), 'r');
  } catch (error) {
    // On a read-only file system Node.js reports ENOENT for a recursive mkdir, and the real error for a plain one.
    if ((error as { code?: string }).code !== 'ENOENT') throw error;
    for (const missing of [directory, folder]) {
      await mkdir(missing, { mode: 0o700 }).catch((reason: { code?: string }) => {
        if (reason.code !== 'EEXIST') throw reason;
      });
    }
  }
}

/** A unique name for a file or folder of content that is still arriving; after a crash the sweep removes it. */
export async function temporaryPath(): Promise<string> {
  await makeFolder(incoming());
  return path.join(incoming(), randomUUID());
}

/** Removes what interrupted uploads left more than a day ago. @returns the number of files */
export async function removeOldTemporaries(now: number): Promise<number> {
  await makeFolder(incoming());
  let removed = 0;
  for (const name of await readdir(incoming())) {
    const file = path.join(incoming(), name);
    const found = await stat(file).catch(falseIfMissing);
    if (!found || now - found.mtimeMs < graceMilliseconds) continue;
    await rm(file, { force: true, recursive: true });
    removed++;
  }
  return removed;
}

/** Handles a file that something else moved or removed. @returns false; rethrows other errors */
export function falseIfMissing(error: NodeJS.ErrnoException): false {
  if (error.code === 'ENOENT') return false;
  throw error;
}

interface SpoolOptions {
  maximumBytes?: number;
  /** The hash that the content must have. */
  expected?: string;
}

/**
 * Stores a stream without buffering it in memory: it goes to a temporary file first, since its name is its hash.
 * @throws FileTooLarge beyond `maximumBytes`, DamagedFile unless it is as expected; nothing is kept after these or other errors
 */
export async function storeIn(store: FileStore, content: Readable, options: SpoolOptions = {}): Promise<StoredFile> {
  const { maximumBytes, expected } = options;
  const temporary = await temporaryPath();
  try {
    const file = await writeMeasured(temporary, content, maximumBytes);
    if (expected !== undefined && file.sha256 !== expected) throw new DamagedFile(expected);
    await store.put(temporary, file);
    return file;
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}
