import { createHash, randomBytes } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { withFreshDatabase } from '@/server/testing/database';
import { settingsOf, startObjectStore, swiftServer, type TestObjectStore } from '@/server/testing/object-store';
import { closeLeases, withLease } from '../db/lease';
import { env, overrideEnv } from '../env';
import { checkStore, openStored, removeUnreferenced, storeBytes, sweepLease } from './content-store';
import { localStore } from './local-store';
import { moveFiles } from './move-files';
import { ObjectStore } from './object-store';
import { storeIn, temporaryPath } from './spool';

withFreshDatabase();

let swift: TestObjectStore;
let store: ObjectStore;
let prefix: string;

const day = 24 * 60 * 60 * 1000;
const hashOf = (content: string | Buffer) => createHash('sha256').update(content).digest('hex');
const keyOf = (sha256: string) => `${prefix}${sha256.slice(0, 2)}/${sha256}`;

async function statusOf(key: string): Promise<number> {
  return (await swift.send('HEAD', key)).status;
}

async function contentOf(sha256: string): Promise<string | null> {
  const opened = await openStored(sha256);
  return opened && (await buffer(opened.stream)).toString();
}

const rows =
  (...named: string[]) =>
  async () =>
    new Set(named);

describe.skipIf(!swiftServer)('with a real S3 server', () => {
  beforeAll(async () => {
    swift = await startObjectStore();
  });

  afterAll(async () => {
    await closeLeases();
    await swift?.close();
  });

  beforeEach(async () => {
    const FILES_URL = settingsOf(swift.freshUrl());
    ({ prefix } = FILES_URL);
    const DATA_DIR = path.join(env().DATA_DIR, randomBytes(4).toString('hex'));
    await mkdir(DATA_DIR);
    overrideEnv({ FILES_URL, DATA_DIR });
    store = new ObjectStore(FILES_URL, { backoff: 1 });
  });

  describe('a file that the sweep has set aside', () => {
    const content = 'stored twice';
    const sha256 = hashOf(content);
    const aside = () => `${keyOf(sha256)}.removed`;

    beforeEach(async () => {
      await swift.putOld(keyOf(sha256), content, 2 * day);
      expect(await removeUnreferenced(rows())).toBe(1);
      expect([await statusOf(keyOf(sha256)), await statusOf(aside())]).toEqual([404, 200]);
    });

    test('is still read, and becomes the file again if a row names it after all', async () => {
      expect(await contentOf(sha256)).toBe(content);
      expect([...(await store.list(sha256.slice(0, 2))).keys()]).toEqual([sha256]);
      expect(await removeUnreferenced(rows(sha256))).toBe(0);
      expect(await statusOf(keyOf(sha256))).toBe(200);
      await removeUnreferenced(rows(sha256), Date.now() + 2 * day);
      expect([await statusOf(keyOf(sha256)), await statusOf(aside())]).toEqual([200, 404]);
    });

    test('is removed after a day', async () => {
      await removeUnreferenced(rows());
      expect(await statusOf(aside())).toBe(200);
      await removeUnreferenced(rows(), Date.now() + 2 * day);
      expect([await statusOf(aside()), await openStored(sha256)]).toEqual([404, null]);
    });

    test('does not touch the same file stored again', async () => {
      await storeBytes(Buffer.from(content));
      await removeUnreferenced(rows());
      expect(await statusOf(keyOf(sha256))).toBe(200);
    });
  });

  test('a body that is not of its hash is refused', async () => {
    const temporary = await temporaryPath();
    await writeFile(temporary, 'altered on its way');
    const file = { sha256: hashOf('as it was sent out'), size: 18 };
    await expect(store.put(temporary, file)).rejects.toMatchObject({ code: 'unavailable', cause: { status: 400 } });
    expect(await statusOf(keyOf(file.sha256))).toBe(404);
  });

  test('what is damaged in the store is not handed out', async () => {
    const sha256 = hashOf('whole');
    await swift.send('PUT', keyOf(sha256), { body: 'other' });
    await expect(contentOf(sha256)).rejects.toThrow(`The stored file ${sha256} is damaged`);
  });

  describe('the check at start', () => {
    test('passes, and tells a wrong secret and a wrong bucket', async () => {
      await checkStore();
      const settings = settingsOf(swift.url);
      for (const [wrong, reason] of [
        [{ secretAccessKey: 'wrong' }, /^FILES_URL: .* the bucket desk at http:.*: SignatureDoesNotMatch\.$/],
        [{ bucket: 'another' }, /^FILES_URL: .* the bucket another at http:.*: NoSuchBucket\.$/],
      ] as const) {
        overrideEnv({ FILES_URL: { ...settings, ...wrong } });
        await expect(checkStore()).rejects.toThrow(reason);
      }
    });

    test('lets a server start while the store is away', async () => {
      overrideEnv({ FILES_URL: { ...settingsOf(swift.url), endpoint: 'http://127.0.0.1:1' } });
      await checkStore();
    });
  });

  describe('a move', () => {
    const contents = ['', 'one', 'two', 'x'.repeat(200_000)];
    const hashes = contents.map(hashOf);
    const bytes = contents.join('').length;
    const summary = { files: 4, bytes, copied: 4, copiedBytes: bytes, present: 0, damaged: [], deleted: 0 };

    const fill = async (target: ObjectStore | typeof localStore) => {
      for (const content of contents) await storeIn(target, Readable.from([Buffer.from(content)]));
    };
    const inStore = async (target: ObjectStore | typeof localStore) => {
      const lists = await Promise.all(hashes.map((sha256) => target.list(sha256.slice(0, 2))));
      return hashes.filter((sha256, index) => lists[index]?.has(sha256)).length;
    };

    test('goes both ways, skips what is there, and leaves the source', async () => {
      await fill(localStore);
      expect(await moveFiles({ to: 's3', deleteSource: false })).toEqual({ to: 's3', ...summary });
      expect(await contentOf(hashOf('two'))).toBe('two');
      await swift.send('PUT', keyOf(hashOf('one')), { body: 'cut' });
      await swift.send('PUT', keyOf(hashOf('two')), { body: 'tw' });
      const again = { to: 's3', ...summary, copied: 1, copiedBytes: 3, present: 3 };
      expect(await moveFiles({ to: 's3', deleteSource: false })).toEqual(again);
      expect([await inStore(localStore), await inStore(store)]).toEqual([4, 4]);
    });

    test('empties the source on demand, and reads the target before', async () => {
      await fill(store);
      await fill(localStore);
      const damaged = path.join(env().DATA_DIR, 'files', hashOf('one').slice(0, 2), hashOf('one'));
      await writeFile(damaged, 'eno');
      const done = { to: 'local', ...summary, copied: 1, copiedBytes: 3, present: 3, deleted: 4 };
      expect(await moveFiles({ to: 'local', deleteSource: true })).toEqual(done);
      expect([await inStore(localStore), await inStore(store)]).toEqual([4, 0]);
      overrideEnv({ FILES_URL: undefined });
      expect(await contentOf(hashOf('one'))).toBe('one');
    });

    test('does not copy what is damaged, and keeps it', async () => {
      await fill(store);
      await swift.send('PUT', keyOf(hashOf('one')), { body: 'eno' });
      const done = { ...summary, copied: 3, copiedBytes: bytes - 3, damaged: [hashOf('one')], deleted: 3 };
      expect(await moveFiles({ to: 'local', deleteSource: true })).toEqual({ to: 'local', ...done });
      expect([await inStore(localStore), await inStore(store)]).toEqual([3, 1]);
    });

    test('removes nothing during a backup, and needs FILES_URL', async () => {
      await fill(localStore);
      await withLease(sweepLease, async () => {
        await expect(moveFiles({ to: 's3', deleteSource: true })).rejects.toThrow('A backup or the nightly clean-up is running');
      });
      overrideEnv({ FILES_URL: undefined });
      await expect(moveFiles({ to: 's3', deleteSource: false })).rejects.toThrow('FILES_URL is not set');
    });
  });
});
