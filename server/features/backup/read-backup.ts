import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { secretProblem } from '@/server/platform/auth/session-token';
import { DamagedArchive, type Entry, readArchive } from './archive';
import { areSameRows, measured } from './digest';
import {
  hashOfStoredFile,
  jobsName,
  type Manifest,
  manifestName,
  readManifest,
  secretName,
  type TableRows,
  tableFile,
} from './manifest';
import type { Progress } from './progress';

async function isCompressed(file: string): Promise<boolean> {
  const handle = await open(file, 'r');
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(2));
    return bytesRead === 2 && buffer.readUInt16BE() === 0x1f8b;
  } finally {
    await handle.close();
  }
}

async function* bytesOf(file: string, { signal, moved }: Progress): AsyncGenerator<Uint8Array> {
  const compressed = await isCompressed(file);
  const stored = createReadStream(file, { highWaterMark: 256 * 1024 });
  // An error of the source destroys the last stream, so its reader gets it.
  const bytes = compressed ? pipeline(stored, createGunzip(), () => undefined) : stored;
  try {
    for await (const chunk of bytes as AsyncIterable<Buffer>) {
      signal.throwIfAborted();
      moved();
      yield chunk;
    }
  } catch (error) {
    if (/^Z_/.test((error as NodeJS.ErrnoException).code ?? '')) throw new DamagedArchive('it can’t be decompressed to its end');
    throw error;
  } finally {
    stored.destroy();
  }
}

/** Bytes; many times what a secret has. */
const secretMaximum = 16 * 1024;

/** The files of a backup in order. */
export function backupEntries(file: string, progress: Progress): AsyncGenerator<Entry> {
  return readArchive(bytesOf(file, progress));
}

export interface CheckedBackup {
  manifest: Manifest;
  /** The secret that signs the backup's RSVP links and sessions. */
  secret: string;
}

function assertRows(name: string, found: TableRows | undefined, stated: TableRows): void {
  if (!found) throw new DamagedArchive(`${name} is missing`);
  if (!areSameRows(found, stated)) throw new DamagedArchive(`${name} is not what its manifest says`);
}

/**
 * Reads a whole backup and checks all of it against its hashes, before it is used.
 *
 * @throws DamagedArchive
 */
export async function checkBackup(file: string, progress: Progress): Promise<CheckedBackup> {
  const rowsFound = new Map<string, TableRows>();
  const files = { count: 0, bytes: 0 };
  let secret: string | undefined;
  let manifest: Manifest | undefined;
  for await (const { name, size, content } of backupEntries(file, progress)) {
    const hash = hashOfStoredFile(name);
    if (name === manifestName) {
      manifest = await readManifest({ size, content });
    } else if (name === secretName) {
      if (size > secretMaximum) throw new DamagedArchive(`${secretName} is too large`);
      const pieces: Uint8Array[] = [];
      for await (const piece of content) pieces.push(piece);
      secret = Buffer.concat(pieces).toString().trim();
    } else {
      const found = await measured(content);
      if (!hash) rowsFound.set(name, found);
      else if (found.sha256 !== hash) throw new DamagedArchive(`${name} is not what its name says`);
      files.count += hash ? 1 : 0;
      files.bytes += hash ? size : 0;
    }
  }
  if (!manifest) throw new DamagedArchive('it has no manifest');
  for (const table of manifest.tables) assertRows(tableFile(table.name), rowsFound.get(tableFile(table.name)), table);
  if (manifest.jobs) assertRows(jobsName, rowsFound.get(jobsName), manifest.jobs);
  if (files.count !== manifest.files.count || files.bytes !== manifest.files.bytes) throw new DamagedArchive('files are missing');
  if (secret === undefined) throw new DamagedArchive(`${secretName} is missing`);
  const problem = secretProblem(secret);
  if (problem !== null) throw new DamagedArchive(`${secretName} is ${problem}`);
  return { manifest, secret };
}
