import { Readable } from 'node:stream';
import { ConfigurationError, env } from '../env';
import { log } from '../log';
import { type FileStore, isHash, isIntact, type Referenced, type StoredFile } from './file-store';
import { localStore } from './local-store';
import { objectStore } from './object-store';
import { removeOldTemporaries, storeIn } from './spool';

/**
 * Files named by the SHA-256 of their content, so that equal files are stored once: in a bucket where FILES_URL names one, below
 * DATA_DIR otherwise. A row refers to a file only after it is durably stored, so after a crash every row has its file. A file
 * whose row was never written is removed by `removeUnreferenced`.
 */
function store(): FileStore {
  const { FILES_URL } = env();
  return FILES_URL ? objectStore(FILES_URL) : localStore;
}

/**
 * Checks at start that the bucket of FILES_URL can be used. One that is away for now is only reported: requests that need a file
 * answer 503 until it is back.
 * @throws ConfigurationError in one line if the store refuses: a wrong key, region or bucket
 */
export async function checkStore(): Promise<void> {
  const { FILES_URL } = env();
  try {
    if (FILES_URL) await objectStore(FILES_URL).check();
  } catch (error) {
    if (error instanceof ConfigurationError) throw error;
    log().warn({ err: error }, 'the object store of FILES_URL can’t be reached: files can’t be read or written until it can');
  }
}

/**
 * Stores a stream without buffering it in memory.
 * @throws FileTooLarge beyond `maximumBytes`; AppError unavailable if the object store can't be reached. Nothing is kept after
 *   these or any other error.
 */
export function storeStream(content: Readable, maximumBytes?: number): Promise<StoredFile> {
  return storeIn(store(), content, { maximumBytes });
}

/** Stores a complete file on this machine, and removes it here. Repeatable for equal files. */
export function storeComplete(temporary: string, file: StoredFile): Promise<void> {
  return store().put(temporary, file);
}

/** Stores bytes from memory. */
export function storeBytes(content: Uint8Array): Promise<StoredFile> {
  return storeStream(Readable.from([content]));
}

/**
 * Opens a stored file; null if there is none of this hash. The stream has to be read or destroyed; it fails if the file can't be
 * read to its end.
 * @throws AppError unavailable if the object store can't be reached
 */
export async function openStored(sha256: string): Promise<{ size: number; stream: Readable } | null> {
  return isHash(sha256) ? store().open(sha256) : null;
}

/** Sizes of the stored files whose hashes begin with these two digits, by hash. */
export function listStored(folder: string): Promise<Map<string, number>> {
  return store().list(folder);
}

/** Reads a whole stored file. @returns whether it is there, with the content that its name says */
export function isStoredIntact(sha256: string): Promise<boolean> {
  return isIntact(store(), sha256);
}

/** Held exclusively to remove files, and shared to prevent it: a backup's snapshot may name files that no current row names. */
export const sweepLease = 'sweep-files';

/**
 * Removes files without a row that are older than a day, and the remains of interrupted uploads. Safe to run at any time.
 * @returns the number of removed files
 */
export async function removeUnreferenced(referenced: Referenced, now = Date.now()): Promise<number> {
  return (await removeOldTemporaries(now)) + (await store().sweep(referenced, now));
}
