import { createReadStream } from 'node:fs';
import { readdir, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { type FileStore, folders, graceMilliseconds, isHash } from './file-store';
import { falseIfMissing, filesDirectory, makeFolder, syncToDisk, temporaryPath } from './spool';

function pathOf(sha256: string): string {
  return path.join(filesDirectory(), sha256.slice(0, 2), sha256);
}

async function namesIn(folder: string): Promise<string[]> {
  const names = await readdir(path.join(filesDirectory(), folder)).catch(falseIfMissing);
  return (names || []).filter(isHash);
}

async function removeOld(file: string, now: number): Promise<boolean> {
  const found = await stat(file).catch(falseIfMissing);
  if (!found || now - found.mtimeMs < graceMilliseconds) return false;
  // Moved aside first: a concurrent upload of the same content either creates a new file or is moved along with this one.
  const aside = await temporaryPath();
  if (!(await rename(file, aside).then(() => true, falseIfMissing))) return false;
  if ((await stat(aside)).mtimeMs !== found.mtimeMs) {
    await rename(aside, file);
    return false;
  }
  await rm(aside);
  return true;
}

/** Files below DATA_DIR. */
export const localStore: FileStore = {
  async put(temporary, { sha256 }) {
    const target = pathOf(sha256);
    await syncToDisk(temporary, 'r+');
    await makeFolder(path.dirname(target));
    await rename(temporary, target);
    await syncToDisk(path.dirname(target), 'r');
  },

  async open(sha256) {
    const found = await stat(pathOf(sha256)).catch(falseIfMissing);
    return found ? { size: found.size, stream: createReadStream(pathOf(sha256)) } : null;
  },

  async list(folder) {
    const sizes = new Map<string, number>();
    for (const name of await namesIn(folder)) {
      const found = await stat(pathOf(name)).catch(falseIfMissing);
      if (found) sizes.set(name, found.size);
    }
    return sizes;
  },

  remove: (sha256) => rm(pathOf(sha256), { force: true }),

  async sweep(referenced, now) {
    let removed = 0;
    for (const folder of folders) {
      const names = await namesIn(folder);
      const named = names.length > 0 ? await referenced(names) : new Set<string>();
      for (const name of names) if (!named.has(name) && (await removeOld(pathOf(name), now))) removed++;
    }
    return removed;
  },
};
