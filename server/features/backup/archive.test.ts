import { execFile } from 'node:child_process';
import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import fc from 'fast-check';
import { describe, expect, inject, test } from 'vitest';
import { DamagedArchive, type Entry, readArchive, writeArchive } from './archive';

interface File {
  name: string;
  bytes: Buffer;
}

async function* entriesOf(files: File[]): AsyncGenerator<Entry> {
  for (const { name, bytes } of files) yield { name, size: bytes.length, content: Readable.from([bytes]) };
}

async function archived(files: File[]): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  for await (const piece of writeArchive(entriesOf(files))) pieces.push(piece);
  return Buffer.concat(pieces);
}

/** The bytes in chunks of `pieceSize`, as a file or a decompressor may deliver them. */
async function* inPieces(bytes: Buffer, pieceSize: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += pieceSize) yield bytes.subarray(at, at + pieceSize);
}

async function unpacked(bytes: Buffer, pieceSize = 700): Promise<File[]> {
  const files: File[] = [];
  for await (const { name, content } of readArchive(inPieces(bytes, pieceSize))) {
    const pieces: Uint8Array[] = [];
    for await (const piece of content) pieces.push(piece);
    files.push({ name, bytes: Buffer.concat(pieces) });
  }
  return files;
}

const files = fc.array(
  fc.record({
    name: fc.stringMatching(/^[a-z0-9/.-]{1,100}$/),
    bytes: fc.uint8Array({ maxLength: 1_600 }).map((bytes) => Buffer.from(bytes)),
  }),
  { maxLength: 5 },
);

describe('an archive', () => {
  test('gives back what was put in, however its bytes come', async () => {
    await fc.assert(
      fc.asyncProperty(files, fc.integer({ min: 1, max: 3_000 }), async (given, pieceSize) => {
        expect(await unpacked(await archived(given), pieceSize)).toEqual(given);
      }),
      { numRuns: 60 },
    );
  });

  test('passes over what nobody reads', async () => {
    const bytes = await archived(['a', 'b', 'c'].map((name) => ({ name, bytes: Buffer.alloc(1_000, name) })));
    const names: string[] = [];
    for await (const { name, content } of readArchive(inPieces(bytes, 300))) {
      names.push(name);
      if (name === 'b') for await (const _ of content) break;
    }
    expect(names).toEqual(['a', 'b', 'c']);
  });

  test('can be unpacked by tar', async () => {
    const directory = await mkdtemp(path.join(inject('testDirectory'), 'archive-'));
    await writeFile(
      path.join(directory, 'a.tar'),
      await archived([{ name: 'tables/users.copy', bytes: Buffer.from('1\tann\n') }]),
    );
    await promisify(execFile)('tar', ['xf', 'a.tar'], { cwd: directory });
    expect(await readFile(path.join(directory, 'tables/users.copy'), 'utf8')).toBe('1\tann\n');
  });

  test('says the size of a file that octal digits can’t', async () => {
    const size = 3 * 8 ** 11;
    const header = (
      await writeArchive(
        (async function* () {
          yield { name: 'large', size, content: Readable.from([]) };
        })(),
      ).next()
    ).value as Buffer;
    const [first] = await Promise.all([readArchive(Readable.from([header])).next()]);
    expect(first.value).toMatchObject({ name: 'large', size });
  });

  test('is not made of a file that grows or shrinks meanwhile', async () => {
    const grown = writeArchive(
      (async function* () {
        yield { name: 'a', size: 3, content: Readable.from([Buffer.from('four')]) };
      })(),
    );
    await expect(Readable.from(grown).toArray()).rejects.toThrow('a has 4 bytes instead of 3');
  });
});

describe('a damaged archive', () => {
  const given = [
    { name: 'a', bytes: Buffer.alloc(700, 'a') },
    { name: 'b', bytes: Buffer.alloc(20, 'b') },
  ];

  test('is noticed wherever it is cut off', async () => {
    const whole = await archived(given);
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: whole.length - 1 }), async (length) => {
        await expect(unpacked(whole.subarray(0, length))).rejects.toThrow(DamagedArchive);
      }),
      { numRuns: 60 },
    );
  });

  test('is noticed where a header was changed', async () => {
    const whole = await archived(given);
    for (const at of [0, 124, 148, 156, 1_536]) {
      const changed = Buffer.from(whole);
      changed[at] = (changed[at] ?? 0) ^ 1;
      await expect(unpacked(changed), `byte ${at}`).rejects.toThrow(DamagedArchive);
    }
  });
});
