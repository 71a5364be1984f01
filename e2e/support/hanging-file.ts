import { type HangingFile, makeHangingFile } from '@/server/testing/hanging-file';

/** A file on a disk that does not respond any more. */
export type FileThatHangs = HangingFile;

export function makeFileThatHangs(file: string): Promise<FileThatHangs> {
  return makeHangingFile(file);
}
