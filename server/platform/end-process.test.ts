import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { makeHangingFile } from '../testing/hanging-file';

let directory = '';

beforeEach(async () => {
  directory = await mkdtemp(path.join(os.tmpdir(), 'frontdesk-test-end-'));
});

afterEach(() => rm(directory, { recursive: true, force: true }));

/** Runs a program that reads a file and exits with status 3. */
async function endWhileReading(file: string): Promise<{ code: number | null; signal: string | null }> {
  const program = `
    import { open } from 'node:fs/promises';
    const { endProcess } = await import('./server/platform/end-process.ts');
    void open(${JSON.stringify(file)}, 'r').catch(() => undefined);
    setImmediate(() => endProcess(3));`;
  const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '--eval', program], { stdio: 'inherit' });
  const timer = setTimeout(() => child.kill('SIGUSR1'), 20_000);
  const [code, signal] = await once(child, 'exit');
  clearTimeout(timer);
  return { code, signal };
}

test('a process ends with its status', async () => {
  expect(await endWhileReading(path.join(directory, 'none'))).toEqual({ code: 3, signal: null });
});

test('a process ends although a call of the file system never returns', async () => {
  const file = path.join(directory, 'hanging');
  await makeHangingFile(file);
  expect(await endWhileReading(file)).toEqual({ code: null, signal: 'SIGKILL' });
});
