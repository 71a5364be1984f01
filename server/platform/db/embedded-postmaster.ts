import { readFile, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** The process that PostgreSQL names in its `postmaster.pid`. */
export interface Postmaster {
  pid: number;
  /** 0 until it is known. */
  port: number;
}

/** True if a process with this id exists. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Checks the program: after a reboot or in a restarted container another program may have the old process id. */
export async function isPostgres(pid: number): Promise<boolean> {
  if (!isAlive(pid)) return false;
  if (process.platform !== 'linux') return true;
  const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
  return command.includes('postgres');
}

/** PostgreSQL writes its file right after it has made it: an older one that is empty was left by a power loss. In milliseconds. */
const emptyFor = 5_000;

/**
 * The running database server of this cluster, if any, regardless of which process started it. Removes the file of one that is
 * gone: PostgreSQL itself would mistake a reused process id for a running server, and refuse to start at an empty file.
 */
export async function findPostmaster(directory: string): Promise<Postmaster | null> {
  const file = path.join(directory, 'postmaster.pid');
  const text = await readFile(file, 'utf8').catch(() => null);
  if (text === null) return null;
  const [first, , , port] = text.split('\n');
  // Negative in single-user mode, which sets a new password.
  const pid = Math.abs(Number(first));
  if (text === '') {
    const age = await stat(file).then(
      ({ mtimeMs }) => Date.now() - mtimeMs,
      () => 0,
    );
    // A clock that was set back makes it look new, or from the future.
    if (age >= 0 && age < emptyFor) return { pid: 0, port: 0 };
  } else if (await isPostgres(pid)) {
    return { pid, port: Number(port) || 0 };
  }
  await rm(file, { force: true });
  return null;
}

/** Waits until the file of a server says something, or is removed. */
export async function settledPostmaster(directory: string, signal?: AbortSignal): Promise<Postmaster | null> {
  for (;;) {
    const found = await findPostmaster(directory);
    if (found === null || found.pid !== 0) return found;
    await sleep(100, undefined, { signal });
  }
}
