import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { makeTemporaryFolder } from './temporary-folder.mjs';

test('a new folder lets others pass, and takes the place of those whose processes have ended', () => {
  const base = mkdtempSync(path.join(os.tmpdir(), 'frontdesk-folders-'));
  onTestFinished(() => rmSync(base, { recursive: true }));
  const { pid: ended } = spawnSync(process.execPath, ['--version']);
  for (const name of [`run-${ended}-a`, `run-${process.pid}-b`, 'run-of another kind', `other-${ended}-c`]) {
    mkdirSync(path.join(base, name, 'data'), { recursive: true });
  }
  const folder = makeTemporaryFolder('run-', base);
  expect(statSync(folder).mode & 0o777).toBe(0o711);
  expect(readdirSync(base).sort()).toEqual(
    [path.basename(folder), `run-${process.pid}-b`, 'run-of another kind', `other-${ended}-c`].sort(),
  );
});
