import { randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, linkSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import path from 'node:path';

/**
 * Small files that have to survive a power loss, such as secrets: the content is on the disk (fsync) before its name exists, and the name is
 * before the call returns. So a file has all of its content or does not exist. Synchronous: they are written once, at start.
 */

/** Puts the entries of a folder on the disk: new names, and renamed ones. */
export function syncFolder(folder: string): void {
  // Windows can't open a folder; there a rename is durable by itself.
  if (process.platform === 'win32') return;
  const handle = openSync(folder, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

function writeSynced(file: string, content: string): void {
  const handle = openSync(file, 'wx', 0o600);
  try {
    writeSync(handle, content);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

/** Writes `content` beside `file` and has `place` give it its name. */
function written(file: string, content: string, place: (temporary: string) => void): void {
  const temporary = `${file}.new-${randomBytes(4).toString('hex')}`;
  try {
    writeSynced(temporary, content);
    place(temporary);
    syncFolder(path.dirname(file));
  } finally {
    rmSync(temporary, { force: true });
  }
}

/** Some file systems (FAT, a few network ones) have no hard links. */
const withoutLinks = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS']);

/**
 * Creates a file, readable by this user only. Of several processes that do so at once, one succeeds.
 *
 * @returns false where it exists already, which leaves it as it is
 */
export function createDurably(file: string, content: string): boolean {
  let isNew = true;
  written(file, content, (temporary) => {
    try {
      linkSync(temporary, file);
    } catch (error) {
      const { code = '' } = error as NodeJS.ErrnoException;
      if (code === 'EEXIST') isNew = false;
      else if (withoutLinks.has(code)) isNew = createExclusively(file, content);
      else throw error;
    }
  });
  return isNew;
}

function createExclusively(file: string, content: string): boolean {
  try {
    writeSynced(file, content);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** Writes a file, readable by this user only; one of that name is replaced in one step. */
export function replaceDurably(file: string, content: string): void {
  written(file, content, (temporary) => renameSync(temporary, file));
}
