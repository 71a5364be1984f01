import { createHash, randomBytes } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { open, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type pg from 'pg';
import { hasQueue, jobsToKeep } from '@/server/platform/jobs/queue-tables';
import { knownAuthSecret } from '../../platform/auth/session-token';
import { within } from '../../platform/db/connection';
import { ConfigurationError } from '../../platform/env';
import { openStored, sweepLease } from '../../platform/files/content-store';
import { type Entry, writeArchive } from './archive';
import { copyOut } from './copy-stream';
import { measureRows } from './digest';
import {
  jobsName,
  type Manifest,
  manifestName,
  manifestText,
  secretName,
  storedFile,
  type TableRows,
  tableFile,
} from './manifest';
import { endedBy, type Progress, unwatched } from './progress';
import { copyOutStatement, readMigrations, readSequences, readTables, storedFilesQuery, textFormSettings } from './tables';

/**
 * A backup: one snapshot of the database and the files that its rows name, in one archive (docs/adr/0013). Servers go on meanwhile.
 */

export interface BackupOptions {
  /** Where to; `.tar`, or compressed as `.tar.gz` or `.tgz`. What is there already is replaced once the backup is complete. */
  file: string;
  version: string;
  progress?: Progress;
}

export interface BackupSummary {
  file: string;
  /** Of the archive. */
  bytes: number;
  tables: number;
  rows: number;
  files: number;
  migration: string;
}

/**
 * Jobs are saved although most of them would be made again by the sweeps of a starting server: only its module knows what a job is for,
 * and one too many is harmless by design.
 */
const jobsStatement = `COPY (${jobsToKeep}) TO STDOUT`;

const noJobs = `COPY (SELECT WHERE false) TO STDOUT`;

/** An archive needs to know a file's size before its content, so rows go to a temporary file first. */
async function spool(
  client: pg.ClientBase,
  statement: string,
  temporary: string,
  { signal }: Progress,
): Promise<{ measured: TableRows; content: Entry['content'] }> {
  const measure = measureRows();
  const target = createWriteStream(temporary, { flags: 'w', mode: 0o600 });
  await pipeline(copyOut(client, statement), measure.pass, target, { signal });
  return { measured: measure.result(), content: createReadStream(temporary) };
}

/** The content of a stored file, which must be what its name says. */
async function* checked(sha256: string, content: Readable): AsyncGenerator<Uint8Array> {
  const hash = createHash('sha256');
  for await (const chunk of content as AsyncIterable<Buffer>) {
    hash.update(chunk);
    yield chunk;
  }
  if (hash.digest('hex') !== sha256)
    throw new Error(`The stored file ${sha256} is damaged: its content is not what its name says.`);
}

const filesAtOnce = 1_000;

/** The files that rows of the snapshot name. */
async function* storedFiles(client: pg.ClientBase, query: string, seen: Manifest['files']): AsyncGenerator<Entry> {
  await client.query(`DECLARE stored_files CURSOR FOR ${query}`);
  for (;;) {
    const { rows } = await client.query<{ sha256: string }>(`FETCH ${filesAtOnce} FROM stored_files`);
    if (rows.length === 0) return;
    for (const { sha256 } of rows) {
      const found = await openStored(sha256);
      if (!found) {
        throw new Error(
          `The file ${sha256} is missing from the data directory, although the database names it. Is DATA_DIR the server's?`,
        );
      }
      seen.count++;
      seen.bytes += found.size;
      yield { name: storedFile(sha256), size: found.size, content: checked(sha256, found.stream) };
    }
  }
}

function textEntry(name: string, text: string): Entry {
  const bytes = Buffer.from(text);
  return { name, size: bytes.length, content: Readable.from([bytes]) };
}

interface Work {
  client: pg.Client;
  version: string;
  progress: Progress;
  /** For the rows of one table at a time. */
  spoolFile: string;
  onDone(manifest: Manifest): void;
}

/** All files of the archive, inside the transaction that is the snapshot. */
async function* entriesOf({ client, version, progress, spoolFile, onDone }: Work): AsyncGenerator<Entry> {
  const createdAt = new Date().toISOString();
  const migrations = await readMigrations(client);
  if (migrations.length === 0) throw new Error('The database is empty: there is nothing to back up yet.');
  const tables = await readTables(client);
  const manifest = { version, createdAt, migrations, tables: [] as Manifest['tables'], files: { count: 0, bytes: 0 } };
  for (const table of tables) {
    const { measured, content } = await spool(client, copyOutStatement(table), spoolFile, progress);
    manifest.tables.push({ name: table.name, columns: table.columns, ...measured });
    yield { name: tableFile(table.name), size: measured.bytes, content };
  }
  const jobs = await spool(client, (await hasQueue(client)) ? jobsStatement : noJobs, spoolFile, progress);
  yield { name: jobsName, size: jobs.measured.bytes, content: jobs.content };
  const filesQuery = storedFilesQuery(tables);
  if (filesQuery) yield* storedFiles(client, filesQuery, manifest.files);
  yield textEntry(secretName, `${existingSecret()}\n`);
  const sequences = await readSequences(client);
  const text = manifestText({ ...manifest, sequences, jobs: jobs.measured });
  onDone(JSON.parse(text) as Manifest);
  yield textEntry(manifestName, text);
}

/** The installation's secret. A made-up one would be worth nothing. */
function existingSecret(): string {
  const secret = knownAuthSecret();
  if (secret === null) {
    throw new ConfigurationError(
      'There is no auth-secret in DATA_DIR and AUTH_SECRET is not set. Set AUTH_SECRET or DATA_DIR as the server has them.',
    );
  }
  return secret;
}

async function synchronise(target: string): Promise<void> {
  const handle = await open(target, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Bytes after which what was written is put on the disk: all at the end might take minutes in which nothing seems to move. */
const syncEvery = 16 * 1024 * 1024;

/** Writes a new file that is on the disk when this resolves. */
async function writeSynced(file: string, bytes: AsyncIterable<Uint8Array>, { signal, moved }: Progress): Promise<void> {
  const handle = await open(file, 'wx', 0o600);
  try {
    let waiting = 0;
    for await (const chunk of bytes) {
      signal.throwIfAborted();
      await handle.writeFile(chunk);
      waiting += chunk.length;
      if (waiting >= syncEvery) {
        await handle.datasync();
        waiting = 0;
      }
      moved();
    }
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Milliseconds for work that is to stop, and for removing what it leaves; a disk that hangs lets neither end. */
const [stopTime, removalTime] = [2_000, 2_000];

/**
 * Makes a backup of the installation that `client` is connected to. A file of the given name is there only when it is complete and on the
 * disk; whatever goes wrong leaves none.
 *
 * @param client a connection of its own, which is of no further use
 */
export async function takeBackup(client: pg.Client, options: BackupOptions): Promise<BackupSummary> {
  const { file, progress = unwatched } = options;
  const temporary = `${file}.partial-${randomBytes(4).toString('hex')}`;
  const spoolFile = `${temporary}-rows`;
  try {
    const manifest = await endedBy(progress.signal, writeBackup(client, { temporary, spoolFile, ...options }), stopTime);
    const { size: bytes } = await stat(temporary);
    await rename(temporary, file);
    if (process.platform !== 'win32') await synchronise(path.dirname(file));
    return { file, bytes, ...summaryOf(manifest) };
  } finally {
    await within(removalTime, Promise.all([rm(temporary, { force: true }), rm(spoolFile, { force: true })]));
  }
}

interface Target extends BackupOptions {
  temporary: string;
  spoolFile: string;
}

/** Writes the whole archive under a temporary name. */
async function writeBackup(client: pg.Client, target: Target): Promise<Manifest> {
  const { file, version, temporary, spoolFile, progress = unwatched } = target;
  let manifest: Manifest | undefined;
  const onDone = (done: Manifest) => {
    manifest = done;
  };
  // Held until the connection ends: files whose rows go in the meantime stay as long as the backup may need them.
  await client.query('SELECT pg_advisory_lock_shared(hashtextextended($1, 1))', [sweepLease]);
  await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
  await client.query(textFormSettings);
  const archive = writeArchive(entriesOf({ client, version, progress, spoolFile, onDone }));
  const write = (bytes: AsyncIterable<Uint8Array>) => writeSynced(temporary, bytes, progress);
  if (/\.t?gz$/.test(file)) await pipeline(archive, createGzip(), write, { signal: progress.signal });
  else await write(archive);
  if (!manifest) throw new Error('The backup ended without a manifest.');
  return manifest;
}

/** What both commands tell of a backup. */
export function summaryOf({ tables, files, migrations }: Manifest): Omit<BackupSummary, 'file' | 'bytes'> {
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  return { tables: tables.length, rows, files: files.count, migration: migrations.at(-1)?.name ?? '' };
}
