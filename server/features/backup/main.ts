import path from 'node:path';
import { parseArgs } from 'node:util';
import { endProcess } from '../../platform/end-process';
import { env, overrideEnv, publishEnvForLibraries } from '../../platform/env';
import { checkStore } from '../../platform/files/content-store';
import { productVersion } from '../../platform/product-version';
import { openToFill, openToRead } from './backup-database';
import { type Progress, Stalled, settleWithin, watchProgress } from './progress';
import { NotMigrated, openBackup, restoreBackup } from './restore-backup';
import { summaryOf, takeBackup } from './take-backup';

/** `npm run backup` and `npm run restore`: one JSON object on stdout, errors on stderr with exit status 1. */

const stop = new AbortController();

function fileGiven(args: string[], option: 'to' | 'from', usage: string): string {
  try {
    const { values } = parseArgs({ args, options: { [option]: { type: 'string' } }, strict: true });
    const file = values[option];
    if (typeof file === 'string' && file !== '' && (option === 'from' || /\.(tar|tar\.gz|tgz)$/.test(file)))
      return path.resolve(file);
  } catch {
    // The usage text explains the error.
  }
  throw new Error(usage);
}

async function backup(args: string[], progress: Progress): Promise<object> {
  const file = fileGiven(args, 'to', 'Usage: npm run -s backup -- --to FILE.tar.gz (or FILE.tar)');
  await checkStore();
  const database = await openToRead(progress);
  try {
    return await takeBackup(database.client, { file, version: productVersion(), progress });
  } finally {
    await database.close();
  }
}

async function restore(args: string[], progress: Progress): Promise<object> {
  const file = fileGiven(args, 'from', 'Usage: npm run -s restore -- --from FILE.tar.gz');
  const given = env().AUTH_SECRET;
  const backup = await openBackup(file, progress);
  await checkStore();
  const database = await openToFill(progress);
  try {
    const { migrated } = await restoreBackup(database, backup, progress);
    if (given && given !== backup.secret) {
      process.stderr.write(
        'AUTH_SECRET is not that of the backup: its answer links, calendar addresses and sessions do not work with it.\n',
      );
    }
    return { file, createdAt: backup.manifest.createdAt, ...summaryOf(backup.manifest), migrated };
  } finally {
    await database.close();
  }
}

const reasons: Record<string, string> = {
  ENOSPC: 'there is no room left',
  EDQUOT: 'there is no room left for this user',
  EACCES: 'access is denied',
  EPERM: 'access is denied',
  EROFS: 'the file system is read-only',
  ENOENT: 'there is no such file or folder',
  ENOTDIR: 'there is no such folder',
  EISDIR: 'it is a folder',
};

/** An error as one line for the terminal. */
function explain(error: unknown): string {
  if (error instanceof NotMigrated) return error.message;
  const { aborted, reason: why } = stop.signal;
  if (aborted) return why instanceof Stalled ? why.message : 'Stopped; nothing was done.';
  const { code, path: file, message } = error as NodeJS.ErrnoException;
  const reason = code && reasons[code];
  if (reason) return `${file ?? 'The disk'}: ${reason} (${code}).`;
  return message || code || String(error);
}

/** Milliseconds for cleaning up and stopping our own database after a stop signal. */
const stopTime = 15_000;

async function main([command, ...args]: string[]): Promise<void> {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      // A second Ctrl-C does not wait for a hanging disk.
      if (stop.signal.aborted) void endProcess(1);
      stop.abort();
    });
  }
  overrideEnv({ LOG_LEVEL: 'fatal' });
  publishEnvForLibraries();
  const progress = watchProgress(stop);
  const work = command === 'restore' ? restore(args, progress) : backup(args, progress);
  const done = await settleWithin(stop.signal, work, stopTime).finally(progress.end);
  process.stdout.write(`${JSON.stringify(done)}\n`);
}

main(process.argv.slice(2)).then(
  () => endProcess(0),
  (error: unknown) => {
    process.stderr.write(`${explain(error)}\n`);
    return endProcess(1);
  },
);
