import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { chmod, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { Writable } from 'node:stream';
import { promisify } from 'node:util';
import { endProcessesOf, processesOf } from '@/scripts/leftovers.mjs';
import { freePort } from '@/server/platform/db/free-port';
import { exitOf, hasEnded } from '@/server/testing/child-process';
import { within } from '@/server/testing/patience';
import { watchServer } from './failure-report';

export { freePort };

/** The environment variable with which the global setup passes the product's URL to the workers. */
export const baseUrlVariable = 'FRONTDESK_E2E_URL';
export const dataDirVariable = 'FRONTDESK_E2E_DATA_DIR';

/** The folder of everything a run writes; the global setup creates it, and removes it at the end. */
const runFolderVariable = 'FRONTDESK_E2E_FOLDER';

/** A running Frontdesk that is not shared. */
export interface Installation {
  baseUrl: string;
  dataDir: string;
  process: ChildProcess;
  /** Its output so far. */
  output(): string;
  /** Ends it as an operator would (SIGTERM), checks that it succeeded, and removes its data unless told otherwise. */
  stop(options?: { keepData?: boolean }): Promise<void>;
}

/** Only what a program needs to run: settings of the machine's own installation must not affect a test. It ends with its test. */
export function cleanEnvironment(): NodeJS.ProcessEnv {
  const { PATH, HOME, TMPDIR, TEMP, SystemRoot, LANG } = process.env;
  return { PATH, HOME, TMPDIR, TEMP, SystemRoot, LANG, NODE_ENV: 'production', STOP_WITH_PARENT: String(process.pid) };
}

async function isReady(baseUrl: string): Promise<boolean> {
  try {
    return (await fetch(`${baseUrl}/readyz`, { signal: AbortSignal.timeout(within(1)) })).ok;
  } catch {
    return false;
  }
}

/** Resolves when the product is ready; rejects with its output if it ends or takes too long. */
async function waitUntilReady(child: ChildProcess, baseUrl: string, output: () => string): Promise<void> {
  const deadline = Date.now() + within(25);
  while (!(await isReady(baseUrl))) {
    if (child.exitCode !== null) throw new Error(`Frontdesk ended with status ${child.exitCode}:\n${output()}`);
    if (Date.now() > deadline) throw new Error(`Frontdesk did not get ready:\n${output()}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

async function end(child: ChildProcess, output: () => string): Promise<void> {
  if (hasEnded(child)) return;
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), 60_000);
  const code = await exitOf(child);
  clearTimeout(timer);
  if (code !== 0) throw new Error(`Frontdesk did not end well (${code ?? 'killed'}):\n${output().slice(-4_000)}`);
}

/** An empty folder. PostgreSQL runs as another user if we are root, so that user needs access. */
async function makeFolder(prefix: string): Promise<string> {
  const folder = await mkdtemp(prefix);
  await chmod(folder, 0o711);
  return folder;
}

/** Runs once before everything else. @returns a function that removes everything its tests have written */
export async function makeRunFolder(): Promise<() => Promise<void>> {
  const folder = await makeFolder(path.join(os.tmpdir(), 'frontdesk e2e-'));
  process.env[runFolderVariable] = folder;
  return async () => {
    await endDatabasesBelow(folder);
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  };
}

/** Databases outlive servers that are killed; a test that fails between the two ends of one leaves it, or its small disk. */
async function endDatabasesBelow(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const files = path.join(folder, name);
    const pid = Number.parseInt(await readFile(path.join(files, 'postgres', 'postmaster.pid'), 'utf8').catch(() => ''), 10);
    try {
      if (pid > 0 && processesOf(files).some((other) => other.pid === pid)) process.kill(pid, 'SIGQUIT');
    } catch {
      // It has ended meanwhile.
    }
    await endProcessesOf(files);
    await promisify(execFile)('umount', ['-l', path.join(files, 'files')]).catch(() => undefined);
  }
}

/** An empty folder for an installation's data. */
export function makeDataDir(): Promise<string> {
  return makeFolder(path.join(process.env[runFolderVariable] ?? os.tmpdir(), 'data-'));
}

interface StartOptions {
  settings?: Record<string, string>;
  /** `demo` for `npm run demo`. */
  program?: 'main' | 'demo';
  /** The folder of an earlier installation, which continues with it. */
  dataDir?: string;
  /** A free port by default; that of an earlier installation to replace it. */
  port?: number;
  /** Where its output goes to as well. */
  log?: Writable;
}

/** Starts the built product on a free port, with its own data directory unless one is given. */
export async function startInstallation(options: StartOptions = {}): Promise<Installation> {
  const dataDir = options.dataDir ?? (await makeDataDir());
  const port = options.port ?? (await freePort());
  const baseUrl = `http://127.0.0.1:${port}`;
  const env = {
    ...cleanEnvironment(),
    DATA_DIR: dataDir,
    PORT: String(port),
    HOST: '127.0.0.1',
    PUBLIC_URL: baseUrl,
    ...options.settings,
  };
  const child = spawn(process.execPath, [path.resolve('scripts/start.mjs'), options.program ?? 'main'], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true, // Ctrl-C is handled by Playwright, which then stops us once, in order.
  });
  const chunks: string[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      chunks.push(chunk.toString());
      options.log?.write(chunk);
    });
  }
  const output = () => chunks.join('');
  watchServer({ name: baseUrl, output, hasEnded: () => hasEnded(child) });
  const stop = async ({ keepData = false } = {}) => {
    await end(child, output);
    if (!keepData) await rm(dataDir, { recursive: true, force: true });
  };
  try {
    await waitUntilReady(child, baseUrl, output);
  } catch (error) {
    await stop().catch(() => undefined);
    throw error;
  }
  return { baseUrl, dataDir, process: child, output, stop };
}
