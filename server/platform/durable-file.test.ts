import type * as fs from 'node:fs';
import { mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, inject, test, vi } from 'vitest';
import { createDurably, replaceDurably } from './durable-file';

/** File operations in order: there is no other way to observe an fsync. */
const calls: string[] = [];
let linking: string | null = null;

vi.mock('node:fs', async (original) => {
  const real = await original<typeof fs>();
  const names = new Map<number, string>();
  return {
    ...real,
    openSync: (file: string, flags: string, mode?: number) => {
      const handle = real.openSync(file, flags, mode);
      names.set(handle, real.statSync(file).isDirectory() ? 'folder' : path.basename(file).replace(/-[0-9a-f]+$/, ''));
      return handle;
    },
    fsyncSync: (handle: number) => {
      calls.push(`sync ${names.get(handle)}`);
      real.fsyncSync(handle);
    },
    linkSync: (from: string, to: string) => {
      if (linking) throw Object.assign(new Error('no links here'), { code: linking });
      calls.push('link');
      real.linkSync(from, to);
    },
    renameSync: (from: string, to: string) => {
      calls.push('rename');
      real.renameSync(from, to);
    },
  };
});

let folder = '';

beforeEach(() => {
  folder = mkdtempSync(path.join(inject('testDirectory'), 'durable-'));
  calls.length = 0;
  linking = null;
});

const read = () => readFileSync(path.join(folder, 'secret'), 'utf8');

describe('a file that has to survive a power loss', () => {
  test('is on the disk before it has its name, and its name before anyone goes on', () => {
    expect(createDurably(path.join(folder, 'secret'), 'one')).toBe(true);
    expect(calls).toEqual(['sync secret.new', 'link', 'sync folder']);
    expect(read()).toBe('one');
    expect(statSync(path.join(folder, 'secret')).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder)).toEqual(['secret']);
  });

  test('is replaced the same way', () => {
    writeFileSync(path.join(folder, 'secret'), 'one');
    replaceDurably(path.join(folder, 'secret'), 'two');
    expect(calls).toEqual(['sync secret.new', 'rename', 'sync folder']);
    expect(read()).toBe('two');
    expect(readdirSync(folder)).toEqual(['secret']);
  });

  test('is created by one only; the others leave it as it is', () => {
    expect(createDurably(path.join(folder, 'secret'), 'one')).toBe(true);
    expect(createDurably(path.join(folder, 'secret'), 'two')).toBe(false);
    expect(read()).toBe('one');
    expect(readdirSync(folder)).toEqual(['secret']);
  });

  test('is created as well where the file system has no links', () => {
    linking = 'EPERM';
    expect(createDurably(path.join(folder, 'secret'), 'one')).toBe(true);
    expect(createDurably(path.join(folder, 'secret'), 'two')).toBe(false);
    expect(read()).toBe('one');
    expect(calls).toContain('sync secret');
  });

  test('leaves nothing behind where it can’t be written', () => {
    linking = 'EIO';
    expect(() => createDurably(path.join(folder, 'secret'), 'one')).toThrow('no links here');
    expect(readdirSync(folder)).toEqual([]);
  });
});
