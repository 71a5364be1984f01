import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { parseEnv } from '../env';
import { openStored } from '../files/content-store';
import { setForProcess } from '../process-globals';
import { receiveRawMail } from './raw-mail';

let dataDir: string;

beforeEach(async () => {
  dataDir = await mkdtemp(path.join(os.tmpdir(), 'frontdesk raw-'));
  setForProcess('env', parseEnv({ DATA_DIR: dataDir }));
});

afterEach(() => rm(dataDir, { recursive: true, force: true }));

const spooled = () => readdir(path.join(dataDir, 'files', 'incoming')).catch(() => []);
const inPieces = (content: Buffer, size: number) =>
  Readable.from(
    (function* () {
      for (let start = 0; start < content.length; start += size) yield content.subarray(start, start + size);
    })(),
  );

describe('a message is received as it is', () => {
  test.each([
    ['empty', 0],
    ['small', 1_000],
    ['at the border of memory', 32 * 1024],
    ['beyond it', 32 * 1024 + 1],
    ['large', 1_500_000],
  ])('%s', async (_, size) => {
    const content = randomBytes(size);
    const raw = await receiveRawMail(inPieces(content, 7_777), { drainExcess: true });
    expect(raw).toMatchObject({ size, isTruncated: false, sha256: createHash('sha256').update(content).digest('hex') });
    expect((await buffer(raw.open())).equals(content)).toBe(true);
    expect((await buffer(raw.open())).equals(content)).toBe(true);
    const { sha256 } = await raw.store();
    await raw.discard();
    expect(await spooled()).toEqual([]);
    expect((await buffer((await openStored(sha256))?.stream ?? Readable.from([]))).equals(content)).toBe(true);
  });
});

test('one that is too large is kept up to the limit, and read to its end only where that is wanted', async () => {
  for (const drainExcess of [true, false]) {
    const content = inPieces(randomBytes(1_000), 100);
    const raw = await receiveRawMail(content, { maximumBytes: 250, drainExcess });
    expect(raw).toMatchObject({ size: 250, isTruncated: true });
    expect(content.readableEnded).toBe(drainExcess);
    await raw.discard();
  }
  const exact = await receiveRawMail(inPieces(randomBytes(250), 100), { maximumBytes: 250, drainExcess: true });
  expect(exact.isTruncated).toBe(false);
});

test('a sender that hangs up leaves nothing behind', async () => {
  const failing = (async function* () {
    yield randomBytes(600_000);
    expect(await spooled()).toHaveLength(1);
    throw new Error('hung up');
  })();
  await expect(receiveRawMail(failing, { drainExcess: true })).rejects.toThrow('hung up');
  expect(await spooled()).toEqual([]);
});
