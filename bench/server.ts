import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import path from 'node:path';
import { freePort } from '@/server/platform/db/free-port';
import { projectRoot } from '../scripts/build.mjs';
import { residentMemoryOf } from './proc';

/** A server under measurement, in a process of its own. */
export interface BenchServer {
  name: string;
  url: string;
  pid: number;
  /** Milliseconds from spawning the process until it answered `readyPath` with 200. */
  readyAfter: number;
  residentMemory(): number | null;
  stop(): Promise<void>;
}

interface StartOptions {
  name: string;
  script: string;
  /** Asked until it answers 200. */
  readyPath: string;
  /** Where its log goes: a file, as under a service manager, so that writing it costs what it costs. */
  logFile: string;
  env: Record<string, string>;
}

async function answers(url: string): Promise<boolean> {
  try {
    const response = await fetch(url);
    await response.arrayBuffer();
    return response.ok;
  } catch {
    return false;
  }
}

function ended(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}

/** Options for the Node of the servers under measurement, such as `--cpu-prof`. */
const nodeOptions = process.env.BENCH_NODE_OPTIONS?.split(' ') ?? [];

async function start(options: StartOptions): Promise<BenchServer> {
  const port = await freePort();
  const log = openSync(options.logFile, 'a');
  const startedAt = performance.now();
  const child = spawn(process.execPath, [...nodeOptions, path.join(projectRoot, options.script)], {
    cwd: projectRoot,
    env: { PATH: process.env.PATH, NODE_ENV: 'production', PORT: String(port), HOST: '127.0.0.1', ...options.env },
    stdio: ['ignore', log, log],
  });
  closeSync(log);
  const endWithUs = () => child.kill('SIGTERM');
  process.once('exit', endWithUs);
  child.once('exit', () => process.off('exit', endWithUs));
  const { pid } = child;
  if (pid === undefined) throw new Error(`${options.name} could not be started.`);
  const url = `http://127.0.0.1:${port}`;
  while (!(await answers(url + options.readyPath))) {
    if (ended(child)) throw new Error(`${options.name} ended at its start; see ${options.logFile}.`);
    if (performance.now() - startedAt > 120_000) throw new Error(`${options.name} does not get ready; see ${options.logFile}.`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  return {
    name: options.name,
    url,
    pid,
    readyAfter: performance.now() - startedAt,
    residentMemory: () => residentMemoryOf(pid),
    stop: async () => {
      if (ended(child)) return;
      const end = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGTERM');
      await end;
    },
  };
}

const productScript = process.env.BENCH_PRODUCT ?? 'scripts/start.mjs';

/** The product as `npm start` starts it; on the embedded database of `dataDir` unless a URL is given. */
export function startProduct(dataDir: string, databaseUrl?: string, settings: Record<string, string> = {}): Promise<BenchServer> {
  return start({
    name: 'Frontdesk',
    script: productScript,
    readyPath: '/readyz',
    logFile: path.join(dataDir, 'product.log'),
    env: { DATA_DIR: dataDir, ...(databaseUrl ? { DATABASE_URL: databaseUrl } : {}), ...settings },
  });
}

/** A bare server of one page. */
export function startPageBaseline(dataDir: string, pageFile: string): Promise<BenchServer> {
  return start({
    name: 'bare Node',
    script: 'bench/baseline-page.mjs',
    readyPath: '/',
    logFile: path.join(dataDir, 'baseline.log'),
    env: { PAGE_FILE: pageFile },
  });
}

/** The hand-written server to compare with. */
export function startBaseline(dataDir: string, databaseUrl: string): Promise<BenchServer> {
  return start({
    name: 'hand-written',
    script: 'bench/baseline-server.mjs',
    readyPath: '/healthz',
    logFile: path.join(dataDir, 'baseline.log'),
    env: { DATABASE_URL: databaseUrl },
  });
}
