import { createHash, randomBytes } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { open, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type pg from 'pg';
import { readTables } from '@/server/platform/db/tables';
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
import { type Progress, settleWithin, unwatched } from './progress';
import { copyOutStatement, readMigrations, readSequences, storedFilesQuery, textFormSettings } from './tables';

/**
 * Makes a backup: one snapshot of the database and the files its rows refer to, in one archive (docs/adr/0013). Servers keep
 * running.
 */

export interface BackupOptions {
  /** Target file; `.tar`, or compressed as `.tar.gz` or `.tgz`. An existing file is replaced once the backup is complete. */
  file: string;
  version: string;
  progress?: Progress;
}

export interface BackupSummary {
  file: string;
  /** Size of the archive. */
  bytes: number;
  tables: number;
  rows: number;
  files: number;
  migration: string;
}

/** Waiting jobs of a database that a version before 0.8.8 has written: its queue was in a schema of its own. */
const earlierJobs = `SELECT t.identifier, j.payload, q.queue_name, j.run_at, j.max_attempts, j.key, j.priority
  FROM graphile_worker._private_jobs j JOIN graphile_worker._private_tasks t ON t.id = j.task_id
    LEFT JOIN graphile_worker._private_job_queues q ON q.id = j.job_queue_id
  WHERE j.attempts < j.max_attempts ORDER BY j.id`;

async function hasEarlierJobs(client: pg.ClientBase): Promise<boolean> {
  const found = await client.query<{ exists: boolean }>(
    `SELECT to_regclass('graphile_worker._private_jobs') IS NOT NULL AS exists`,
  );
  return found.rows[0]?.exists ?? false;
}

/** An archive needs a file's size before its content, so rows go to a temporary file first. */
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

/** The content of a stored file, checked against the hash in its name. */
async function* checked(sha256: string, content: Readable): AsyncGenerator<Uint8Array> {
  const hash = createHash('sha256');
  for await (const chunk of content as AsyncIterable<Buffer>) {
    hash.update(chunk);
    yield chunk;
  }
  if (hash.digest('hex') !== sha256)
    throw new Error(`The stored file ${sha256} is damaged: its content is not what its name says.`);
}

const concurrentFiles = 1_000;

/** The files that rows of the snapshot refer to. */
async function* storedFiles(client: pg.ClientBase, query: string, seen: Manifest['files']): AsyncGenerator<Entry> {
  await client.query(`DECLARE stored_files CURSOR FOR ${query}`);
  for (;;) {
    const { rows } = await client.query<{ sha256: string }>(`FETCH ${concurrentFiles} FROM stored_files`);
    if (rows.length === 0) return;
    for (const { sha256 } of rows) {
      const found = await openStored(sha256);
      if (!found) {
        throw new Error(
          `The file ${sha256} is missing, although the database names it. Are DATA_DIR and FILES_URL the server's?`,
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
  /** Temporary file for the rows of one table. */
  spoolFile: string;
  onDone(manifest: Manifest): void;
}

/** All files of the archive, read inside the snapshot's transaction. */
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
  const jobs = (await hasEarlierJobs(client)) && (await spool(client, `COPY (${earlierJobs}) TO STDOUT`, spoolFile, progress));
  if (jobs) yield { name: jobsName, size: jobs.measured.bytes, content: jobs.content };
  const filesQuery = storedFilesQuery(tables);
  if (filesQuery) yield* storedFiles(client, filesQuery, manifest.files);
  yield textEntry(secretName, `${existingSecret()}\n`);
  const sequences = await readSequences(client);
  const text = manifestText({ ...manifest, sequences, ...(jobs && { jobs: jobs.measured }) });
  onDone(JSON.parse(text) as Manifest);
  yield textEntry(manifestName, text);
}

/** The installation's secret; never a newly generated one. */
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

/** Bytes between two syncs to disk: a single sync at the end might take minutes without visible progress. */
const syncEvery = 16 * 1024 * 1024;

/** Writes a new file that is synced to disk when this resolves. */
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

/** Milliseconds for stopping work, and for removing its temporary files; a hanging disk may prevent both. */
const [stopTime, removalTime] = [2_000, 2_000];

/**
 * Makes a backup of the installation that `client` is connected to. The file appears under its name only once it is complete
 * and on disk; a failure leaves no file.
 *
 * @param client a dedicated connection, which must not be reused
 */
export async function takeBackup(client: pg.Client, options: BackupOptions): Promise<BackupSummary> {
  const { file, progress = unwatched } = options;
  const temporary = `${file}.partial-${randomBytes(4).toString('hex')}`;
  const spoolFile = `${temporary}-rows`;
  try {
    const manifest = await settleWithin(progress.signal, writeBackup(client, { temporary, spoolFile, ...options }), stopTime);
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
  // Held until the connection ends: it keeps the file sweep from removing files that the backup may still need.
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

/** The summary that both commands print. */
export function summaryOf({ tables, files, migrations }: Manifest): Omit<BackupSummary, 'file' | 'bytes'> {
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  return { tables: tables.length, rows, files: files.count, migration: migrations.at(-1)?.name ?? '' };
}
