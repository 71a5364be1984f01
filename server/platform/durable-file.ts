import { randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, linkSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import path from 'node:path';

/**
 * Small files that must survive a power loss, such as secrets: the content is synced to disk before the file gets its name, and
 * the name before the call returns. So a file is complete or does not exist. Synchronous, since they are written once at start.
 */

/** Syncs a folder to disk, with new and renamed entries. */
export function syncFolder(folder: string): void {
  // Windows can't open a folder; a rename is durable there without it.
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

/** Writes `content` to a temporary file next to `file`; `place` gives it its final name. */
function writeAndPlace(file: string, content: string, place: (temporary: string) => void): void {
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
 * Creates a file, readable only by this user. Of several concurrent processes, one succeeds.
 * @returns false if it exists already, without changing it
 */
export function createDurably(file: string, content: string): boolean {
  let isNew = true;
  writeAndPlace(file, content, (temporary) => {
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

/** Writes a file, readable only by this user; atomically replaces an existing one. */
export function replaceDurably(file: string, content: string): void {
  writeAndPlace(file, content, (temporary) => renameSync(temporary, file));
}
