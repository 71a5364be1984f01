import { createHash, randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { type FileHandle, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { env } from '../env';

/**
 * Files below DATA_DIR under the SHA-256 of their content: what is stored twice takes the room of one.
 *
 * A file is complete and on the disk (fsync) before its name exists, and a row names it only after that; so after a crash every row has
 * its file. A file whose row was never written is removed by `removeUnreferenced`.
 */

/** A stored file, as rows name it. */
export interface StoredFile {
  /** In lower-case hexadecimal. */
  sha256: string;
  /** In bytes. */
  size: number;
}

/** Too many bytes for the limit that was given. */
export class FileTooLarge extends Error {
  override name = 'FileTooLarge';
}

function directory(): string {
  return path.join(env().DATA_DIR, 'files');
}

function pathOf(sha256: string): string {
  return path.join(directory(), sha256.slice(0, 2), sha256);
}

/** A folder right below that of the files. A new one is as lasting as what goes into it. */
async function makeFolder(folder: string): Promise<void> {
  try {
    const made = await mkdir(folder, { recursive: true, mode: 0o700 });
    if (made === undefined) return;
    await synchronised(directory(), 'r');
    await synchronised(path.dirname(directory()), 'r');
  } catch (error) {
    // On a read-only file system Node.js says ENOENT of a recursive mkdir, and the truth of a plain one.
    if ((error as { code?: string }).code !== 'ENOENT') throw error;
    for (const missing of [directory(), folder]) {
      await mkdir(missing, { mode: 0o700 }).catch((reason: { code?: string }) => {
        if (reason.code !== 'EEXIST') throw reason;
      });
    }
  }
}

/** A file name of its own for content that is still arriving; what a crash leaves of it, the sweep removes. */
export async function temporaryPath(): Promise<string> {
  const folder = path.join(directory(), 'incoming');
  await makeFolder(folder);
  return path.join(folder, randomUUID());
}

async function synchronised(target: string, flags: string): Promise<void> {
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

/** Gives a complete temporary file its lasting name. A file of the same content is replaced: its age says that it is in use again. */
async function keep(temporary: string, sha256: string): Promise<void> {
  const target = pathOf(sha256);
  await synchronised(temporary, 'r+');
  await makeFolder(path.dirname(target));
  await rename(temporary, target);
  await synchronised(path.dirname(target), 'r');
}

/** Counts and hashes what flows through, and fails where it becomes more than `maximumBytes`. */
function measure(maximumBytes: number): { transform: Transform; result: () => StoredFile } {
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
 * Stores what a stream delivers, without ever holding it in memory.
 *
 * @throws FileTooLarge beyond `maximumBytes`; nothing is kept then, nor after any other error.
 */
export async function storeStream(content: Readable, maximumBytes = Number.POSITIVE_INFINITY): Promise<StoredFile> {
  const temporary = await temporaryPath();
  const { transform, result } = measure(maximumBytes);
  try {
    await pipeline(content, transform, createWriteStream(temporary, { flags: 'wx', mode: 0o600 }));
    const file = result();
    await keep(temporary, file.sha256);
    return file;
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

/** Stores bytes that are in memory already. */
export function storeBytes(content: Uint8Array): Promise<StoredFile> {
  return storeStream(Readable.from([content]));
}

/** The content of a stored file; null where there is none of this hash. */
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

/** For a file that got its lasting name meanwhile, or was removed by another server's sweep. @returns false; all else is thrown on */
function isGone(error: NodeJS.ErrnoException): false {
  if (error.code === 'ENOENT') return false;
  throw error;
}

/**
 * Held by who removes files; shared by who needs that none is removed meanwhile: a backup, whose snapshot names files that no row of
 * today may name.
 */
export const sweepLease = 'sweep-files';

/** A file younger than this may belong to a transaction that has not ended yet. */
const graceMilliseconds = 24 * 60 * 60 * 1000;

async function removeOld(file: string, now: number): Promise<boolean> {
  const found = await stat(file).catch(isGone);
  if (!found || now - found.mtimeMs < graceMilliseconds) return false;
  // Moved aside first: whoever stores the same content at this very moment puts a young file in its place, or is moved along with it.
  const aside = path.join(directory(), 'incoming', randomUUID());
  if (!(await rename(file, aside).then(() => true, isGone))) return false;
  if ((await stat(aside)).mtimeMs !== found.mtimeMs) {
    await rename(aside, file);
    return false;
  }
  await rm(aside);
  return true;
}

/**
 * Removes files that no row names and that are older than a day, with what interrupted uploads have left. Safe to repeat at any time,
 * beside everything else.
 *
 * @param referenced tells which of these hashes rows name
 * @returns how many files went
 */
export async function removeUnreferenced(
  referenced: (hashes: string[]) => Promise<ReadonlySet<string>>,
  now = Date.now(),
): Promise<number> {
  await temporaryPath(); // makes the folder where there is none yet
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
