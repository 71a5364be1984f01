import { type ChildProcess, spawn } from 'node:child_process';
import path from 'node:path';
import { exitOf, hasEnded } from '@/server/testing/child-process';
import { watchServer } from './failure-report';
import { cleanEnvironment } from './installation';

/** A server that may never become ready: its output and its end. */
export interface BareServer {
  process: ChildProcess;
  stdout(): string;
  stderr(): string;
  /** Resolves when it has ended: with its exit status, or null if a signal has killed it. */
  ended: Promise<number | null>;
}

/** Starts the built product with only these settings, and does not wait for it. */
export function startBareServer(settings: Record<string, string>): BareServer {
  const child = spawn(process.execPath, [path.resolve('scripts/start.mjs')], {
    env: { ...cleanEnvironment(), HOST: '127.0.0.1', ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => {
    stdout += chunk.toString();
  });
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  const ended = new Promise<number | null>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', resolve);
  });
  watchServer({
    name: `A server with ${JSON.stringify(settings)}`,
    output: () => stdout + stderr,
    hasEnded: () => hasEnded(child),
  });
  return { process: child, stdout: () => stdout, stderr: () => stderr, ended };
}

/** Ends a process by a signal. @returns its exit status, and the duration in milliseconds */
export async function endBy(signal: NodeJS.Signals, child: ChildProcess): Promise<{ code: number | null; ms: number }> {
  const startedAt = performance.now();
  child.kill(signal);
  return { code: await exitOf(child), ms: performance.now() - startedAt };
}
