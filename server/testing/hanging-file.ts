import { execFile } from 'node:child_process';
import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { promisify } from 'node:util';

/** A file that hangs: opening it for reading never returns, as on a disk or share that has stopped responding. */
export interface HangingFile {
  /** Unblocks the readers; they find it empty. */
  release(): Promise<void>;
}

/** Creates one at a free path: a named pipe without a writer. */
export async function makeHangingFile(file: string): Promise<HangingFile> {
  await promisify(execFile)('mkfifo', [file]);
  const release = async () => {
    // Without a blocked reader there is nothing to open for (ENXIO).
    const handle = await open(file, constants.O_WRONLY | constants.O_NONBLOCK).catch(() => null);
    await handle?.close();
  };
  return { release };
}
