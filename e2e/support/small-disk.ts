import { execFile } from 'node:child_process';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A disk of a few megabytes for a data directory's files, which a test can fill and make read-only. */
export interface SmallDisk {
  fill(): Promise<void>;
  free(): Promise<void>;
  setReadOnly(isReadOnly: boolean): Promise<void>;
  /** Removes the data directory as well. */
  remove(): Promise<void>;
}

/** Null if this user may not mount one: that requires root, and a container that allows it. */
export async function mountSmallDisk(dataDir: string): Promise<SmallDisk | null> {
  const folder = path.join(dataDir, 'files');
  await mkdir(folder, { recursive: true });
  try {
    await run('mount', ['-t', 'tmpfs', '-o', 'size=8m,mode=0700', 'tmpfs', folder]);
  } catch {
    return null;
  }
  const ballast = path.join(folder, 'incoming', 'ballast');
  return {
    fill: async () => {
      // As if a file had been stored before.
      await mkdir(path.dirname(ballast), { recursive: true, mode: 0o700 });
      await writeFile(ballast, Buffer.alloc(16 * 1024 * 1024)).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'ENOSPC') throw error;
      });
    },
    free: () => rm(ballast, { force: true }),
    setReadOnly: async (isReadOnly) => {
      // As if no file had ever been stored: its folder can't be created either.
      if (isReadOnly) await rm(path.dirname(ballast), { recursive: true, force: true });
      await run('mount', ['-o', `remount,${isReadOnly ? 'ro' : 'rw'}`, folder]);
    },
    remove: async () => {
      await run('umount', ['-l', folder]);
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
