import { execFile } from 'node:child_process';
import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { promisify } from 'node:util';

/** A file that hangs: opening it to read never returns, as on a disk or a share that does not answer any more. */
export interface HangingFile {
  /** Lets those go that hang; they find it empty. */
  release(): Promise<void>;
}

/** Makes one where there is no file: a named pipe that no one writes to. */
export async function makeHangingFile(file: string): Promise<HangingFile> {
  await promisify(execFile)('mkfifo', [file]);
  const release = async () => {
    // Without anyone who hangs there is no one to write to (ENXIO).
    const handle = await open(file, constants.O_WRONLY | constants.O_NONBLOCK).catch(() => null);
    await handle?.close();
  };
  return { release };
}
