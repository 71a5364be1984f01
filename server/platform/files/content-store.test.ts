import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { parseEnv } from '../env';
import { setForProcess } from '../process-globals';
import { FileTooLarge, openStored, removeUnreferenced, storeBytes, storeStream } from './content-store';

let dataDir: string;

beforeEach(async () => {
  dataDir = await mkdtemp(path.join(os.tmpdir(), 'frontdesk files-'));
  setForProcess('env', parseEnv({ DATA_DIR: dataDir }));
});

afterEach(() => rm(dataDir, { recursive: true, force: true }));

const files = async () =>
  (await readdir(path.join(dataDir, 'files'), { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());

function pathOf(sha256: string): string {
  return path.join(dataDir, 'files', sha256.slice(0, 2), sha256);
}

describe('a stored file', () => {
  test('comes back byte by byte, under its hash', async () => {
    const content = randomBytes(300_000);
    const stored = await storeStream(Readable.from([content.subarray(0, 7), content.subarray(7)]));
    expect(stored).toEqual({ sha256: createHash('sha256').update(content).digest('hex'), size: 300_000 });
    const opened = await openStored(stored.sha256);
    expect(opened?.size).toBe(300_000);
    expect((await buffer(opened?.stream ?? Readable.from([]))).equals(content)).toBe(true);
  });

  test('may be empty', async () => {
    const { sha256, size } = await storeStream(Readable.from([]));
    expect(size).toBe(0);
    expect((await openStored(sha256))?.size).toBe(0);
  });

  test('takes the room of one, however often and at once it is stored', async () => {
    const content = randomBytes(100_000);
    const stored = await Promise.all(Array.from({ length: 20 }, () => storeBytes(content)));
    expect(new Set(stored.map(({ sha256 }) => sha256)).size).toBe(1);
    expect(await files()).toHaveLength(1);
  });

  test('is found by nothing but a hash', async () => {
    for (const name of ['', '..', '../../etc/passwd', 'A'.repeat(64), 'z'.repeat(64), '0'.repeat(64)]) {
      expect(await openStored(name)).toBeNull();
    }
  });
});

describe('nothing is left behind', () => {
  test('of a stream that fails', async () => {
    const failing = Readable.from(
      (async function* () {
        yield Buffer.from('half of it');
        throw new Error('gone');
      })(),
    );
    await expect(storeStream(failing)).rejects.toThrow('gone');
    expect(await files()).toEqual([]);
  });

  test('of one that is too long', async () => {
    await expect(storeStream(Readable.from([Buffer.alloc(11)]), 10)).rejects.toBeInstanceOf(FileTooLarge);
    expect((await storeStream(Readable.from([Buffer.alloc(10)]), 10)).size).toBe(10);
    expect(await files()).toHaveLength(1);
  });
});

describe('the sweep', () => {
  const day = 24 * 60 * 60 * 1000;

  async function storeOld(content: string): Promise<string> {
    const { sha256 } = await storeBytes(Buffer.from(content));
    await utimes(pathOf(sha256), new Date(Date.now() - 2 * day), new Date(Date.now() - 2 * day));
    return sha256;
  }

  test('removes what no row names once it is a day old', async () => {
    const named = await storeOld('named');
    const unnamed = await storeOld('unnamed');
    const { sha256: young } = await storeBytes(Buffer.from('young'));
    expect(await removeUnreferenced(async () => new Set([named]))).toBe(1);
    expect(await openStored(unnamed)).toBeNull();
    for (const kept of [named, young]) expect(await openStored(kept)).not.toBeNull();
    expect(await removeUnreferenced(async () => new Set([named]), Date.now() + 2 * day)).toBe(1);
    expect(await openStored(young)).toBeNull();
  });

  test('leaves alone what is stored again meanwhile', async () => {
    const content = 'stored again';
    const sha256 = await storeOld(content);
    const removed = await removeUnreferenced(async () => {
      await storeBytes(Buffer.from(content));
      return new Set();
    });
    expect(removed).toBe(0);
    expect(await openStored(sha256)).not.toBeNull();
  });

  test('removes what an interrupted upload left', async () => {
    await storeBytes(Buffer.from('x'));
    await writeFile(path.join(dataDir, 'files', 'incoming', 'half'), 'half');
    expect(await removeUnreferenced(async (hashes) => new Set(hashes))).toBe(0);
    expect(await removeUnreferenced(async (hashes) => new Set(hashes), Date.now() + 2 * day)).toBe(1);
    expect(await files()).toHaveLength(1);
  });

  test('runs beside everything that is being stored', async () => {
    let storing = true;
    const writers = Array.from({ length: 4 }, async (_, number) => {
      for (let n = 0; n < 100; n++) await storeBytes(Buffer.from(`${number}-${n}`));
    });
    const done = Promise.all(writers).then(() => {
      storing = false;
    });
    while (storing) expect(await removeUnreferenced(async () => new Set())).toBe(0);
    await done;
    expect(await files()).toHaveLength(400);
  });

  test('finds nothing where nothing was ever stored', async () => {
    expect(await removeUnreferenced(async () => new Set())).toBe(0);
  });
});
