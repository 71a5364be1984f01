import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chown, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { replaceDurably, syncFolder } from '../durable-file';
import { ConfigurationError, environmentForChild } from '../env';
import { assertReachable, locateBinaries, type PostgresBinaries, type ProcessOwner, processOwner } from './embedded-binaries';
import { embeddedLogFile } from './embedded-log';
import { isAlive, settledPostmaster } from './embedded-postmaster';

/** The files of the embedded database: created atomically, and checked before every start. */

export const superuser = 'frontdesk';

export interface Cluster {
  directory: string;
  password: string;
  binaries: PostgresBinaries;
  owner: ProcessOwner | null;
  logFile: string;
}

/** Programs and account that run a cluster. */
type Programs = Pick<Cluster, 'binaries' | 'owner'>;

interface OpenOptions {
  onProgress?: ((line: string) => void) | undefined;
  /** Aborts, and removes partial files. */
  signal?: AbortSignal | undefined;
}

export function clusterDirectory(dataDir: string): string {
  return path.join(dataDir, 'postgres');
}

export const passwordFile = 'frontdesk-password';

interface RunOptions {
  owner: ProcessOwner | null;
  input?: string;
  /** Ends the program. */
  signal?: AbortSignal | undefined;
}

/** @throws the reason of `signal`, after the program has ended */
function runToEnd(
  program: string,
  args: string[],
  { owner, input = '', signal }: RunOptions,
): Promise<{ code: number | null; output: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      ...owner,
      cwd: path.parse(program).root,
      env: environmentForChild({ LC_ALL: 'C', LANG: 'C' }),
    });
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.on('error', reject);
    child.stdin.on('error', () => undefined);
    child.stdin.end(input);
    const stop = () => child.kill();
    signal?.addEventListener('abort', stop);
    child.on('close', (code) => {
      signal?.removeEventListener('abort', stop);
      if (signal?.aborted) reject(signal.reason);
      else resolve({ code, output });
    });
  });
}

/**
 * Creates the cluster in a temporary folder and renames it in one step, so that a killed first start leaves no partial cluster.
 */
async function createCluster(directory: string, { binaries, owner }: Programs, signal?: AbortSignal): Promise<void> {
  const parent = path.dirname(directory);
  const fresh = path.join(parent, `postgres.new-${process.pid}-${randomBytes(4).toString('hex')}`);
  const password = randomBytes(24).toString('hex');
  const pwfile = `${fresh}.password`;
  try {
    await mkdir(fresh, { mode: 0o700 });
    await writeFile(pwfile, password, { mode: 0o600 });
    if (owner) await Promise.all([chown(fresh, owner.uid, owner.gid), chown(pwfile, owner.uid, owner.gid)]);
    const locale = ['--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C', '--encoding=UTF8'];
    const args = ['-D', fresh, '-U', superuser, '--auth=scram-sha-256', `--pwfile=${pwfile}`, '--no-instructions', ...locale];
    const { code, output } = await runToEnd(binaries.initdb, args, { owner, signal });
    if (code !== 0) throw new ConfigurationError(`PostgreSQL could not be set up in ${parent}: ${lastLine(output)}`);
    // initdb has already synced its own files to disk.
    replaceDurably(path.join(fresh, passwordFile), password);
    await rename(fresh, directory).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error; // another first start finished earlier: use its cluster
    });
    syncFolder(parent);
  } finally {
    // If initdb was aborted, its child processes end slightly later.
    await Promise.all([rm(fresh, { recursive: true, force: true, maxRetries: 5 }), rm(pwfile, { force: true })]);
  }
}

/** Removes the remains of killed first starts. */
async function removeAbandonedClusters(dataDir: string): Promise<void> {
  for (const name of await readdir(dataDir)) {
    const pid = /^postgres\.new-(\d+)-/.exec(name)?.[1];
    if (pid && !isAlive(Number(pid))) await rm(path.join(dataDir, name), { recursive: true, force: true });
  }
}

/** The last line PostgreSQL logged, without timestamp and severity. */
export function lastLine(output: string): string {
  return (
    output
      .trim()
      .split('\n')
      .at(-1)
      ?.replace(/^.*?(FATAL|ERROR|error):\s*/, '') ?? 'no output'
  );
}

async function prepareDataDir(dataDir: string): Promise<void> {
  try {
    await mkdir(dataDir, { recursive: true, mode: 0o711 });
    const probe = path.join(dataDir, `.writable-${process.pid}`);
    await writeFile(probe, '');
    await rm(probe);
  } catch (error) {
    throw new ConfigurationError(`DATA_DIR ${dataDir} can't be written (${(error as NodeJS.ErrnoException).code}).`);
  }
}

/**
 * Opens the cluster of a data directory, creating it on the first start.
 * @throws ConfigurationError in one line if the directory can't be used
 */
export async function openCluster(dataDir: string, { onProgress, signal }: OpenOptions = {}): Promise<Cluster> {
  signal?.throwIfAborted();
  await prepareDataDir(dataDir);
  const [binaries, owner] = await Promise.all([locateBinaries(), processOwner()]);
  if (owner) await Promise.all([assertReachable(owner, dataDir), assertReachable(owner, path.dirname(binaries.postgres))]);
  const directory = clusterDirectory(dataDir);
  await removeAbandonedClusters(dataDir);
  if (!(await hasFiles(directory))) {
    onProgress?.('Setting up the database (first start only) …');
    await createCluster(directory, { binaries, owner }, signal);
  }
  const cluster = { directory, binaries, owner, logFile: embeddedLogFile(dataDir) };
  await assertClusterVersion(directory);
  return { ...cluster, password: await passwordOf(cluster, signal) };
}

/** False also for an empty folder, such as a mount point. */
async function hasFiles(directory: string): Promise<boolean> {
  const entries = await readdir(directory).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw unreadable(directory, error);
  });
  return entries.length > 0;
}

function unreadable(directory: string, { code }: NodeJS.ErrnoException): ConfigurationError {
  return new ConfigurationError(`The data directory ${directory} can't be read (${code}).`);
}

/** The password of the cluster. If a power loss left none, or zeros, a new password is set. */
async function passwordOf(cluster: Omit<Cluster, 'password'>, signal?: AbortSignal): Promise<string> {
  const file = path.join(cluster.directory, passwordFile);
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw unreadable(cluster.directory, error);
  });
  const password = text.trim();
  return /^[!-~]+$/.test(password) ? password : setNewPassword(cluster, file, signal);
}

/** Sets a new password without the old one, which PostgreSQL's single-user mode allows while no server runs. */
async function setNewPassword(cluster: Omit<Cluster, 'password'>, file: string, signal?: AbortSignal): Promise<string> {
  const { directory, binaries, owner } = cluster;
  await settledPostmaster(directory, signal);
  const password = randomBytes(24).toString('hex');
  const args = ['--single', '-D', directory, 'postgres'];
  const input = `ALTER ROLE ${superuser} PASSWORD '${password}'\n`;
  const { code, output } = await runToEnd(binaries.postgres, args, { owner, input, signal });
  if (code !== 0 || /ERROR|FATAL/.test(output)) {
    throw new ConfigurationError(
      `The database's password in ${file} is missing or damaged, and a new one could not be set: ${lastLine(output)}. Stop what uses the database and start again.`,
    );
  }
  replaceDurably(file, password);
  return password;
}

/** The major version of the binaries in package.json. A cluster of another version needs pg_upgrade or a dump. */
const majorVersion = '18';

async function assertClusterVersion(directory: string): Promise<void> {
  const file = path.join(directory, 'PG_VERSION');
  const version = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw unreadable(directory, error);
  });
  if (version.trim() === '') {
    throw new ConfigurationError(
      `The database in ${directory} is damaged: PG_VERSION is empty or missing. Restore a backup into a new DATA_DIR; if there is nothing to keep, delete ${directory}.`,
    );
  }
  if (version.trim() !== majorVersion) {
    throw new ConfigurationError(
      `The data directory was written by PostgreSQL ${version.trim()}; this Frontdesk has ${majorVersion}. Restore a dump instead.`,
    );
  }
}
