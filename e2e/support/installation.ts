import { type ChildProcess, spawn } from 'node:child_process';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { freePort } from '@/server/platform/db/free-port';

export { freePort };

/** How the global setup tells the workers where the product runs. */
export const baseUrlVariable = 'FRONTDESK_E2E_URL';
export const dataDirVariable = 'FRONTDESK_E2E_DATA_DIR';

/** The folder of all that a run writes; the global setup makes it, and removes it at the end. */
const runFolderVariable = 'FRONTDESK_E2E_FOLDER';

/** A running Frontdesk that nobody else uses. */
export interface Installation {
  baseUrl: string;
  dataDir: string;
  process: ChildProcess;
  /** What it has printed so far. */
  output(): string;
  /** Ends it as an operator would (SIGTERM), checks that it went well, and removes its data unless told otherwise. */
  stop(options?: { keepData?: boolean }): Promise<void>;
}

/** Only what a program needs to run: no setting of the machine's own installation may leak into a test. */
function cleanEnvironment(): NodeJS.ProcessEnv {
  const { PATH, HOME, TMPDIR, TEMP, SystemRoot, LANG } = process.env;
  return { PATH, HOME, TMPDIR, TEMP, SystemRoot, LANG, NODE_ENV: 'production' };
}

async function isReady(baseUrl: string): Promise<boolean> {
  try {
    return (await fetch(`${baseUrl}/readyz`, { signal: AbortSignal.timeout(2_000) })).ok;
  } catch {
    return false;
  }
}

/** Resolves when the product is ready; rejects with what it said where it ends or takes too long. */
async function waitUntilReady(child: ChildProcess, baseUrl: string, output: () => string): Promise<void> {
  const deadline = Date.now() + 180_000;
  while (!(await isReady(baseUrl))) {
    if (child.exitCode !== null) throw new Error(`Frontdesk ended with status ${child.exitCode}:\n${output()}`);
    if (Date.now() > deadline) throw new Error(`Frontdesk did not get ready:\n${output()}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

async function end(child: ChildProcess, output: () => string): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), 60_000);
  const code = await ended;
  clearTimeout(timer);
  if (code !== 0) throw new Error(`Frontdesk did not end well (${code ?? 'killed'}):\n${output().slice(-4_000)}`);
}

/** An empty folder; as root, PostgreSQL runs as another user, who must get through. */
async function makeFolder(prefix: string): Promise<string> {
  const folder = await mkdtemp(prefix);
  await chmod(folder, 0o711);
  return folder;
}

/** Once a run, before anything else. @returns removes everything that its tests have written */
export async function makeRunFolder(): Promise<() => Promise<void>> {
  const folder = await makeFolder(path.join(os.tmpdir(), 'frontdesk e2e-'));
  process.env[runFolderVariable] = folder;
  return () => rm(folder, { recursive: true, force: true, maxRetries: 5 });
}

/** An empty folder for an installation's data. */
export function makeDataDir(): Promise<string> {
  return makeFolder(path.join(process.env[runFolderVariable] ?? os.tmpdir(), 'data-'));
}

interface StartOptions {
  settings?: Record<string, string>;
  /** `demo` for `npm run demo`. */
  program?: 'main' | 'demo';
  /** An earlier installation's folder, which it then goes on with. */
  dataDir?: string;
  /** A free one unless given: that of an earlier installation, whose place it takes. */
  port?: number;
}

/** Starts the built product on a free port, with a data directory of its own unless one is given. */
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
    detached: true, // Ctrl-C is for Playwright, which then stops us once, in order
  });
  const chunks: string[] = [];
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => chunks.push(chunk.toString()));
  const output = () => chunks.join('');
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
