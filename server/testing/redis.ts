import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { tied } from './child-process';
import { findProgram } from './program';

/** Null if it is not installed. */
export const redisServer = findProgram('redis-server');

/** A real Redis that a test may freeze and kill. */
export interface TestRedis {
  process: ChildProcess;
  /** Kills it and removes its data. */
  remove(): Promise<void>;
}

/** Starts a Redis on this local port; resolves when it responds. */
export async function startTestRedis(port: number): Promise<TestRedis> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'redis-'));
  const settings = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--dir', folder];
  const child = spawn(...tied(redisServer ?? '', settings), { stdio: ['ignore', 'pipe', 'ignore'] });
  await new Promise<void>((resolve) =>
    child.stdout?.on('data', (chunk) => String(chunk).includes('Ready to accept') && resolve()),
  );
  return {
    process: child,
    remove: async () => {
      child.kill('SIGKILL');
      await rm(folder, { recursive: true, force: true });
    },
  };
}
