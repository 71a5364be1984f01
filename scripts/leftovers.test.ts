import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { endProcessesOf, processesOf } from './leftovers.mjs';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'leftovers-'));
});

const children: ChildProcess[] = [];

afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  await rm(folder, { recursive: true, force: true });
});

/** A process that would go on for ever, once it runs. */
async function start(options: { argument?: string; temporary?: string; cwd?: string }) {
  const program = `process.stdout.write('.'); setInterval(() => {}, 1000)`;
  const child = spawn(process.execPath, ['--eval', program, options.argument ?? ''], {
    // By default the folder of this run, so that it is found if this process is killed.
    env: { NODE_ENV: 'test', TMPDIR: options.temporary ?? os.tmpdir() },
    cwd: options.cwd ?? '/',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(child);
  await once(child.stdout, 'data');
  return child;
}

describe.skipIf(!existsSync('/proc/self/environ'))('a process that a run leaves behind', () => {
  test.each([
    ['by its arguments', () => start({ argument: path.join(folder, 'data') })],
    ['by its folder for temporary files', () => start({ temporary: folder })],
    ['by its working directory', () => start({ cwd: folder })],
  ])('is found %s and killed', async (_, begin) => {
    const other = await start({});
    const child = await begin();
    const ended = once(child, 'exit');
    expect(processesOf(folder).map(({ pid }) => pid)).toEqual([child.pid]);
    expect(await endProcessesOf(folder, { patience: 0 })).toEqual([
      { pid: child.pid, command: expect.stringContaining('setInterval') },
    ]);
    expect((await ended)[1]).toBe('SIGKILL');
    expect(other.exitCode ?? other.signalCode).toBeNull();
  });

  test('is not one that ends by itself', async () => {
    const child = await start({ cwd: folder });
    const waiting = endProcessesOf(folder, { patience: 60_000 });
    child.kill('SIGTERM');
    expect(await waiting).toEqual([]);
  });
});
