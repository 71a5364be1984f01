import { mkdir, readFile, rename } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import pg from 'pg';
import { readTables, type Table } from '@/server/platform/db/tables';
import { knownMigrations, migrate } from '../../platform/db/migrate';
import { replaceDurably } from '../../platform/durable-file';
import { env } from '../../platform/env';
import { storeStream } from '../../platform/files/content-store';
import { DamagedArchive, type Entry } from './archive';
import { deferIndexes } from './bulk-load';
import { copyIn, copyOut } from './copy-stream';
import { areSameRows, measured } from './digest';
import { hashOfStoredFile, jobsName, type Manifest, tableFile } from './manifest';
import { type Progress, unwatched } from './progress';
import { backupEntries, type CheckedBackup, checkBackup } from './read-backup';
import { copyInStatement, copyOutStatement, readMigrations, textFormSettings } from './tables';

/**
 * Restores a backup into an empty installation (docs/adr/0013): the database at the backup's migration, all in one transaction,
 * then the later migrations. A failure before those leaves the installation empty.
 */

const quoted = pg.escapeIdentifier;

/** Tables that migrations, a first start or a failed sign-in fill in an installation without an owner. */
const setupTables = new Set(['event_clock', 'setup_tokens', 'sign_in_throttle']);

/** @throws Error unless this version has every migration of the backup */
async function assertKnown({ migrations, version }: Manifest): Promise<void> {
  const known = await knownMigrations();
  const unknown = migrations.find(({ name, checksum }) => known.get(name) !== checksum);
  if (!unknown) return;
  throw new Error(
    `The backup was made by another version of Frontdesk (${version}): it has the migration ${unknown.name}, which this one does not know as it is. Restore it with that version or a newer one.`,
  );
}

async function assertEmpty(client: pg.Client, tables: readonly Table[]): Promise<void> {
  for (const { name } of tables.filter((table) => !setupTables.has(table.name))) {
    const { rows } = await client.query<{ filled: boolean }>(`SELECT EXISTS (SELECT 1 FROM ${quoted(name)}) AS filled`);
    if (rows[0]?.filled) {
      throw new Error(`This installation is not empty (${name} has rows). Restore into a new DATA_DIR, or an empty database.`);
    }
  }
}

async function assertNotAhead(client: pg.Client, { migrations }: Manifest): Promise<void> {
  const wanted = new Set(migrations.map(({ name }) => name));
  const ahead = (await readMigrations(client)).find(({ name }) => !wanted.has(name));
  if (!ahead) return;
  throw new Error(
    `This installation is empty, but a newer version than the backup's has started on it already (${ahead.name}). Restore into a new DATA_DIR, or a new database.`,
  );
}

/** The tables of the backup, in the order of the backup, which is the order of its files. */
function matching(tables: readonly Table[], manifest: Manifest): Map<string, Table> {
  const describe = (list: readonly { name: string; columns: readonly string[] }[]) =>
    list.map(({ name, columns }) => `${name}(${[...columns].sort().join()})`).sort();
  const [here, there] = [describe(tables), describe(manifest.tables)];
  const odd = [...here.filter((one) => !there.includes(one)), ...there.filter((one) => !here.includes(one))][0];
  if (odd) throw new Error(`The tables of the database are not those of the backup: ${odd}.`);
  return new Map(
    manifest.tables.map(({ name, columns }) => {
      const table = tables.find((candidate) => candidate.name === name);
      if (!table) throw new Error('unreachable');
      return [tableFile(name), { ...table, columns }];
    }),
  );
}

/** Jobs of a backup that has them apart; the migration `jobs` takes them from there. */
const jobsTable = `CREATE TABLE restored_jobs
  (identifier text, payload json, queue_name text, run_at timestamptz, max_attempts int, key text, priority int)`;
const jobsColumns = ['identifier', 'payload', 'queue_name', 'run_at', 'max_attempts', 'key', 'priority'];

/** Files of at most this many bytes are stored several at a time, from memory: an object store needs a while to answer each. */
const smallFile = 1024 * 1024;
const atOnce = 8;

/** Stores the files of a backup. Small ones are stored while the next are read, so `finish` has to be awaited at the end. */
class FileWriter {
  readonly #storing = new Set<Promise<void>>();

  /** Reads the whole entry. @throws DamagedArchive if it, or one before it, is not what its name says */
  async store(hash: string, { content, size }: Entry): Promise<void> {
    if (size > smallFile) return storeFile(hash, content);
    const bytes = await buffer(content);
    const stored = storeFile(hash, [bytes]);
    this.#storing.add(stored);
    // One that failed stays: `finish` throws its error, or a later call that waits.
    stored.then(
      () => this.#storing.delete(stored),
      () => undefined,
    );
    if (this.#storing.size >= atOnce) await Promise.race(this.#storing);
  }

  /** Waits for all files, also after one has failed. */
  async finish(): Promise<void> {
    const all = [...this.#storing];
    await Promise.allSettled(all);
    await Promise.all(all);
  }
}

async function storeFile(hash: string, content: AsyncIterable<Uint8Array> | Uint8Array[]): Promise<void> {
  const stored = await storeStream(Readable.from(content, { objectMode: false }));
  if (stored.sha256 !== hash) throw new DamagedArchive(`files/${hash} is not what its name says`);
}

/** Writes the secret atomically; AUTH_SECRET takes precedence if set. */
async function writeSecret(secret: string): Promise<void> {
  const file = path.join(env().DATA_DIR, 'auth-secret');
  await mkdir(env().DATA_DIR, { recursive: true, mode: 0o711 });
  await keepExistingSecret(file, secret);
  replaceDurably(file, `${secret}\n`);
}

/** Renames a different existing secret instead of overwriting it: sessions and links may depend on it. */
async function keepExistingSecret(file: string, secret: string): Promise<void> {
  const present = await readFile(file, 'utf8').catch(() => null);
  if (present !== null && present.trim() !== secret) await rename(file, `${file}.before-restore-${Date.now()}`);
}

/** Fills the tables inside the open transaction, and stores the files. Triggers are disabled, because the backup already contains their effects. */
async function load(client: pg.Client, file: string, manifest: Manifest, progress: Progress): Promise<void> {
  const tables = await readTables(client);
  const byFile = matching(tables, manifest);
  const names = tables.map(({ name }) => quoted(name));
  await client.query(`LOCK TABLE ${names.join(', ')} IN ACCESS EXCLUSIVE MODE`);
  await assertEmpty(client, tables);
  for (const name of names) await client.query(`ALTER TABLE ${name} DISABLE TRIGGER USER`);
  // Of this transaction, tables may be loaded with their rows frozen: these are not written a second time by a later vacuum.
  await client.query(`TRUNCATE ${names.join(', ')}`);
  const recreateIndexes = await deferIndexes(client, tables);
  if (manifest.jobs) {
    await client.query(jobsTable);
    byFile.set(jobsName, {
      name: 'restored_jobs',
      columns: jobsColumns,
      key: [],
      indexed: [],
      parents: [],
      isPartitioned: false,
    });
  }
  const writer = new FileWriter();
  try {
    for await (const entry of backupEntries(file, progress)) {
      const table = byFile.get(entry.name);
      const hash = hashOfStoredFile(entry.name);
      if (table) await pipeline(entry.content, copyIn(client, copyInStatement(table)));
      else if (hash) await writer.store(hash, entry);
    }
  } finally {
    await writer.finish();
  }
  for (const { name, lastValue, isCalled } of manifest.sequences) {
    await client.query('SELECT setval($1::regclass, $2::bigint, $3)', [quoted(name), lastValue, isCalled]);
  }
  for (const name of names) await client.query(`ALTER TABLE ${name} ENABLE TRIGGER USER`);
  await assertLoaded(client, byFile, manifest);
  await recreateIndexes();
}

/** Reads back and checks what was loaded. */
async function assertLoaded(client: pg.Client, byFile: Map<string, Table>, manifest: Manifest): Promise<void> {
  // Rows are stored in the order of their keys, which PostgreSQL does not know before ANALYZE: it would sort whole tables on disk.
  await client.query('SET LOCAL enable_sort = off');
  for (const stated of manifest.tables) {
    const table = byFile.get(tableFile(stated.name));
    const found = table && (await measured(copyOut(client, copyOutStatement(table))));
    if (!found || !areSameRows(found, stated)) throw new Error(`${stated.name} was not restored as it is in the backup.`);
  }
}

/** All data was restored, but a migration failed; the next start tries it again. */
export class NotMigrated extends Error {
  override name = 'NotMigrated';

  constructor(cause: Error) {
    super(`The backup was restored, but it is not of this version yet: ${cause.message}`, { cause });
  }
}

/** A backup that is intact, and that this version can restore. */
export interface UsableBackup extends CheckedBackup {
  file: string;
}

/**
 * Checks a whole backup, before a database for it is opened.
 *
 * @throws DamagedArchive; Error in one line for one of a newer version
 */
export async function openBackup(file: string, progress: Progress = unwatched): Promise<UsableBackup> {
  const checked = await checkBackup(file, progress);
  await assertKnown(checked.manifest);
  return { ...checked, file };
}

/**
 * Fills an empty installation from a backup.
 *
 * @param database a dedicated connection to the database at `url`, which must be the only one
 * @returns the migrations that were applied to the restored data
 * @throws Error in one line if the installation is not empty
 */
export async function restoreBackup(
  { url, client }: { url: string; client: pg.Client },
  { file, manifest, secret }: UsableBackup,
  progress: Progress = unwatched,
): Promise<{ migrated: string[] }> {
  await assertEmpty(client, await readTables(client));
  await assertNotAhead(client, manifest);
  const ofBackup = new Set(manifest.migrations.map(({ name }) => name));
  const watched = { signal: progress.signal, onActive: progress.moved };
  await migrate(url, { ...watched, isWanted: (name) => ofBackup.has(name) });
  await client.query('BEGIN');
  try {
    await client.query(textFormSettings);
    await load(client, file, manifest, progress);
    await writeSecret(secret);
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined);
    throw error;
  }
  const migrated = await migrate(url, watched).catch((error: Error) => {
    throw new NotMigrated(error);
  });
  // PostgreSQL would do so automatically, but only later.
  await client.query('ANALYZE').catch(() => undefined);
  return { migrated };
}
