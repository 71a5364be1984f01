import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { settingsOf, startObjectStore, swiftServer, type TestObjectStore } from '@/server/testing/object-store';
import { parseEnv } from '../env';
import { setForProcess } from '../process-globals';
import { openStored, removeUnreferenced, storeBytes, storeStream } from './content-store';
import { FileTooLarge } from './measured-file';
import { readListing } from './s3-xml';

let dataDir: string;
let swift: TestObjectStore | undefined;
let prefix = '';

const day = 24 * 60 * 60 * 1000;

const hashOf = (content: string) => createHash('sha256').update(content).digest('hex');

async function localFiles(): Promise<string[]> {
  const entries = await readdir(path.join(dataDir, 'files'), { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
}

async function objects(): Promise<string[]> {
  const answer = await swift?.send('GET', `?list-type=2&prefix=${encodeURIComponent(prefix)}`);
  return readListing((await answer?.text()) ?? '').objects.map(({ key }) => key.slice(key.lastIndexOf('/') + 1));
}

const kinds = {
  'a local folder': {
    settings: () => ({}),
    stored: async () => (await localFiles()).filter((name) => /^[0-9a-f]{64}$/.test(name)),
    async storeOld(content: string): Promise<string> {
      const { sha256 } = await storeBytes(Buffer.from(content));
      const old = new Date(Date.now() - 2 * day);
      await utimes(path.join(dataDir, 'files', sha256.slice(0, 2), sha256), old, old);
      return sha256;
    },
  },
  'an object store': {
    settings: () => {
      const url = swift?.freshUrl() ?? '';
      ({ prefix } = settingsOf(url));
      return { FILES_URL: url };
    },
    stored: objects,
    async storeOld(content: string): Promise<string> {
      const sha256 = hashOf(content);
      await swift?.putOld(`${prefix}${sha256.slice(0, 2)}/${sha256}`, content, 2 * day);
      return sha256;
    },
  },
};

beforeAll(async () => {
  if (swiftServer) swift = await startObjectStore();
});

afterAll(() => swift?.close());

beforeEach(async () => {
  dataDir = await mkdtemp(path.join(os.tmpdir(), 'frontdesk files-'));
});

afterEach(() => rm(dataDir, { recursive: true, force: true }));

// Without Swift, the tests on an object store are skipped.
describe.each(Object.entries(kinds))('in %s', (name, { settings, stored: files, storeOld }) => {
  beforeEach((context) => {
    context.skip(name === 'an object store' && !swift, 'OpenStack Swift is not installed');
    setForProcess('env', parseEnv({ DATA_DIR: dataDir, ...settings() }));
  });

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
      const opened = await openStored(sha256);
      expect(opened?.size).toBe(0);
      expect(await buffer(opened?.stream ?? Readable.from(['x']))).toHaveLength(0);
    });

    test('takes the room of one, however often and at once it is stored', async () => {
      const content = randomBytes(100_000);
      const stored = await Promise.all(Array.from({ length: 20 }, () => storeBytes(content)));
      expect(new Set(stored.map(({ sha256 }) => sha256)).size).toBe(1);
      expect(await files()).toHaveLength(1);
    });

    test('is found by nothing but a hash', async () => {
      for (const unknown of ['', '..', '../../etc/passwd', 'A'.repeat(64), 'z'.repeat(64), '0'.repeat(64)]) {
        expect(await openStored(unknown)).toBeNull();
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
      expect(await localFiles()).toEqual([]);
    });

    test('of one that is too long', async () => {
      await expect(storeStream(Readable.from([Buffer.alloc(11)]), 10)).rejects.toBeInstanceOf(FileTooLarge);
      expect((await storeStream(Readable.from([Buffer.alloc(10)]), 10)).size).toBe(10);
      expect(await files()).toHaveLength(1);
    });
  });

  describe('the sweep', () => {
    const withoutRows = async () => new Set<string>();

    test('removes what no row names once it is a day old', async () => {
      const named = await storeOld('named');
      const unnamed = await storeOld('unnamed');
      const { sha256: young } = await storeBytes(Buffer.from('young'));
      expect(await removeUnreferenced(async () => new Set([named]))).toBe(1);
      expect((await files()).filter((file) => file === unnamed)).toEqual([]);
      for (const kept of [named, young]) expect(await files()).toContain(kept);
      expect(await removeUnreferenced(async () => new Set([named]), Date.now() + 2 * day)).toBe(1);
      await removeUnreferenced(async () => new Set([named]), Date.now() + 2 * day);
      expect(await files()).toEqual([named]);
      for (const gone of [unnamed, young]) expect(await openStored(gone)).toBeNull();
    });

    test('leaves alone what is stored again before it is removed', async () => {
      const content = 'stored again';
      const sha256 = await storeOld(content);
      const removed = await removeUnreferenced(async () => {
        await storeBytes(Buffer.from(content));
        return new Set();
      });
      expect(removed).toBe(0);
      expect(await files()).toEqual([sha256]);
    });

    test('removes what an interrupted upload left', async () => {
      await storeBytes(Buffer.from('x'));
      await writeFile(path.join(dataDir, 'files', 'incoming', 'half'), 'half');
      expect(await removeUnreferenced(async (hashes) => new Set(hashes))).toBe(0);
      expect(await removeUnreferenced(async (hashes) => new Set(hashes), Date.now() + 2 * day)).toBe(1);
      expect(await files()).toHaveLength(1);
    });

    test('runs beside everything that is being stored', async () => {
      const count = name === 'a local folder' ? 100 : 10;
      let storing = true;
      const writers = Array.from({ length: 4 }, async (_, number) => {
        for (let n = 0; n < count; n++) await storeBytes(Buffer.from(`${number}-${n}`));
      });
      const done = Promise.all(writers).then(() => {
        storing = false;
      });
      while (storing) expect(await removeUnreferenced(withoutRows)).toBe(0);
      await done;
      expect(await files()).toHaveLength(4 * count);
    });

    test('finds nothing where nothing was ever stored', async () => {
      expect(await removeUnreferenced(withoutRows)).toBe(0);
    });
  });
});
