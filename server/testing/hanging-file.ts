import { execFile } from 'node:child_process';
import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';

/** A file that hangs: reading it never returns, as on a disk or share that has stopped responding. */
export interface HangingFile {
  /** Resolves once a reader waits for it. */
  untilRead(): Promise<void>;
  /** Unblocks the readers; they find it empty. */
  release(): Promise<void>;
}

/** Creates one at a free path: a named pipe without a writer, or with one that writes nothing. */
export async function makeHangingFile(file: string): Promise<HangingFile> {
  await promisify(execFile)('mkfifo', [file]);
  let writer: FileHandle | null = null;
  const openWriter = async () => {
    // Without a blocked reader there is nothing to open for (ENXIO).
    writer ??= await open(file, constants.O_WRONLY | constants.O_NONBLOCK).catch(() => null);
    return writer !== null;
  };
  return {
    untilRead: async () => {
      while (!(await openWriter())) await setTimeout(20);
    },
    release: async () => {
      await openWriter();
      await writer?.close();
      writer = null;
    },
  };
}
