import { withLease } from '../db/lease';
import { ConfigurationError, env } from '../env';
import { checkStore, sweepLease } from './content-store';
import { DamagedFile, type FileStore, folders, forEachAtOnce, isIntact } from './file-store';
import { localStore } from './local-store';
import { objectStore } from './object-store';
import { storeIn } from './spool';

/** The result of a move. Bytes are those of the files counted before them. */
export interface MoveSummary {
  to: 's3' | 'local';
  /** Files in the source. */
  files: number;
  bytes: number;
  copied: number;
  copiedBytes: number;
  /** Files that the target had already, by name and size. */
  present: number;
  /** Files whose content in the source is not what their name says; they are left there. */
  damaged: string[];
  /** Files removed from the source. */
  deleted: number;
}

/** Files that are copied at the same time. */
const atOnce = 4;

interface Move {
  source: FileStore;
  target: FileStore;
  deleteSource: boolean;
  summary: MoveSummary;
}

/** Copies a file and reads it back. @returns false if it is damaged, or the sweep has removed it since it was listed */
async function copyOne({ source, target, summary }: Move, sha256: string): Promise<boolean> {
  const opened = await source.open(sha256);
  if (!opened) return false;
  try {
    const { size } = await storeIn(target, opened.stream, { expected: sha256 });
    summary.copied++;
    summary.copiedBytes += size;
  } catch (error) {
    if (!(error instanceof DamagedFile)) throw error;
    summary.damaged.push(sha256);
    return false;
  }
  if (!(await isIntact(target, sha256))) throw new Error(`The file ${sha256} can't be read back from where it was copied to.`);
  return true;
}

async function moveOne(move: Move, sha256: string, isPresent: boolean): Promise<void> {
  const { source, target, deleteSource, summary } = move;
  // Read before it becomes the only copy.
  if (isPresent && (!deleteSource || (await isIntact(target, sha256)))) summary.present++;
  else if (!(await copyOne(move, sha256))) return;
  if (!deleteSource) return;
  await source.remove(sha256);
  summary.deleted++;
}

async function moveFolder(move: Move, folder: string): Promise<void> {
  const here = await move.source.list(folder);
  if (here.size === 0) return;
  const there = await move.target.list(folder);
  for (const [sha256, size] of here) {
    move.summary.files++;
    move.summary.bytes += size;
    await moveOne(move, sha256, there.get(sha256) === size);
  }
}

/**
 * Copies all files between DATA_DIR and the bucket of FILES_URL, beside a running server. May be interrupted and repeated: files
 * that are there are skipped. The content of each file is compared with its name while it is read, and read back after it is copied.
 *
 * @param deleteSource removes each file from the source once the target's content is checked
 * @throws ConfigurationError without FILES_URL; Error if a backup runs while files would be removed
 */
export async function moveFiles({ to, deleteSource }: { to: 's3' | 'local'; deleteSource: boolean }): Promise<MoveSummary> {
  const { FILES_URL } = env();
  if (!FILES_URL) throw new ConfigurationError('FILES_URL is not set. It names the bucket, for a move in either direction.');
  await checkStore();
  const remote = objectStore(FILES_URL);
  const [source, target] = to === 's3' ? [localStore, remote] : [remote, localStore];
  const summary: MoveSummary = { to, files: 0, bytes: 0, copied: 0, copiedBytes: 0, present: 0, damaged: [], deleted: 0 };
  const run = async () => {
    await forEachAtOnce(atOnce, folders, (folder) => moveFolder({ source, target, deleteSource, summary }, folder));
    return summary;
  };
  if (!deleteSource) return run();
  const done = await withLease(sweepLease, run);
  if (!done) throw new Error('A backup or the nightly clean-up is running. Try again later.');
  return done;
}
