import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';

/** A stored file, as referenced by rows. */
export interface StoredFile {
  /** In lower-case hexadecimal. */
  sha256: string;
  /** In bytes. */
  size: number;
}

/** The content of a stored file is not what its name says. */
export class DamagedFile extends Error {
  override name = 'DamagedFile';

  constructor(readonly sha256: string) {
    super(`The stored file ${sha256} is damaged: its content is not what its name says.`);
  }
}

/** Returns which of these hashes rows name. */
export type Referenced = (hashes: string[]) => Promise<ReadonlySet<string>>;

/**
 * Where files are kept, named by the SHA-256 of their content, in folders by its first two digits. A file is complete and
 * durable before it has its name.
 */
export interface FileStore {
  /**
   * Stores a complete file on this machine under its hash, and removes it here. An existing file of the same content is replaced,
   * so that its age shows that it is in use again.
   */
  put(temporary: string, file: StoredFile): Promise<void>;
  /** Null if there is no file of this hash. The stream has to be read or destroyed. */
  open(sha256: string): Promise<{ size: number; stream: Readable } | null>;
  /** Sizes of all files of a folder, by hash. */
  list(folder: string): Promise<Map<string, number>>;
  remove(sha256: string): Promise<void>;
  /**
   * Removes files that are older than a day and not referenced. Safe while files are stored.
   * @returns their number
   */
  sweep(referenced: Referenced, now: number): Promise<number>;
}

/** All folders, in order. */
export const folders: readonly string[] = Array.from({ length: 256 }, (_, number) => number.toString(16).padStart(2, '0'));

export function isHash(name: string): boolean {
  return /^[0-9a-f]{64}$/.test(name);
}

/** Milliseconds after which a file without a row is removed: a younger one may belong to an open transaction. */
export const graceMilliseconds = 24 * 60 * 60 * 1000;

/** Reads a whole file. @returns whether it is there, with the content that its name says */
export async function isIntact(store: FileStore, sha256: string): Promise<boolean> {
  const opened = await store.open(sha256);
  if (!opened) return false;
  const hash = createHash('sha256');
  try {
    for await (const chunk of opened.stream) hash.update(chunk as Buffer);
  } catch (error) {
    if (error instanceof DamagedFile) return false;
    throw error;
  }
  return hash.digest('hex') === sha256;
}

/** Calls `work` for each item, for `limit` of them at the same time; after an error for no further one. */
export async function forEachAtOnce<T>(limit: number, items: Iterable<T>, work: (item: T) => Promise<void>): Promise<void> {
  const rest = items[Symbol.iterator]();
  let hasFailed = false;
  const run = async () => {
    for (let next = rest.next(); !next.done && !hasFailed; next = rest.next()) {
      await work(next.value).catch((error: unknown) => {
        hasFailed = true;
        throw error;
      });
    }
  };
  await Promise.all(Array.from({ length: limit }, run));
}
