import { createHash, randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type pg from 'pg';
import { ConfigurationError } from '../env';
import { closeConnection } from './connection';
import { openConnection } from './own-connection';
import { limitStatements, patience } from './time-limits';
import { withRetry } from './transaction';

interface Migration {
  name: string;
  sql: string;
  checksum: string;
}

interface AppliedMigration {
  migration_name: string;
  checksum: string;
  finished_at: Date | null;
  rolled_back_at: Date | null;
}

/** Prisma's own advisory lock for migrations, so that `prisma migrate deploy` and we exclude each other. */
const migrationLock = 72_707_369;

const createTable = `CREATE TABLE IF NOT EXISTS "_prisma_migrations" (
  id VARCHAR(36) PRIMARY KEY NOT NULL, checksum VARCHAR(64) NOT NULL, finished_at TIMESTAMPTZ, migration_name VARCHAR(255) NOT NULL,
  logs TEXT, rolled_back_at TIMESTAMPTZ, started_at TIMESTAMPTZ NOT NULL DEFAULT now(), applied_steps_count INTEGER NOT NULL DEFAULT 0)`;

async function readMigrations(directory: string): Promise<Migration[]> {
  const entries = await readdir(directory, { withFileTypes: true });
  const names = entries
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort();
  return Promise.all(
    names.map(async (name) => {
      const sql = await readFile(path.join(directory, name, 'migration.sql'), 'utf8');
      return { name, sql, checksum: createHash('sha256').update(sql).digest('hex') };
    }),
  );
}

async function readApplied(client: pg.Client): Promise<AppliedMigration[]> {
  const result = await client.query<AppliedMigration>(
    'SELECT migration_name, checksum, finished_at, rolled_back_at FROM "_prisma_migrations" ORDER BY started_at',
  );
  return result.rows.filter((row) => row.rolled_back_at === null);
}

/** @throws ConfigurationError if the database does not belong to this version */
function assertHistory(migrations: Migration[], applied: AppliedMigration[]): void {
  const known = new Map(migrations.map((migration) => [migration.name, migration]));
  for (const row of applied) {
    const migration = known.get(row.migration_name);
    if (!migration) {
      throw new ConfigurationError(
        `The database has the migration ${row.migration_name}, which this version does not know. It was written by a newer version: upgrade, or restore a backup.`,
      );
    }
    if (row.finished_at === null) {
      throw new ConfigurationError(
        `The migration ${row.migration_name} failed half-way earlier. Restore a backup or resolve it with prisma migrate resolve.`,
      );
    }
    if (row.checksum !== migration.checksum)
      throw new ConfigurationError(`The migration ${row.migration_name} was changed after it had been applied.`);
  }
}

/** The migrations of this version: checksums by name. */
export async function knownMigrations(directory = path.resolve('prisma/migrations')): Promise<Map<string, string>> {
  return new Map((await readMigrations(directory)).map(({ name, checksum }) => [name, checksum]));
}

export interface MigrateOptions {
  directory?: string;
  /** Filters migrations: a backup is first restored at its own migration. */
  isWanted?: (name: string) => boolean;
  /** Aborts the migration; uncommitted changes are rolled back. */
  signal?: AbortSignal | undefined;
  /** Called repeatedly while the database answers or works on a migration. */
  onActive?: (() => void) | undefined;
}

/**
 * Migrates the database to the newest version, offline and compatible with `prisma migrate` (same table, checksums and lock).
 * Each migration is one transaction together with its entry, so after `kill -9` it is either applied or not. Several servers
 * may start at the same time: one migrates, the others wait.
 * There is no time limit while the server works on a migration, or while another server migrates.
 * @returns the names of the newly applied migrations, oldest first.
 */
export async function migrate(
  url: string,
  { directory = path.resolve('prisma/migrations'), isWanted = () => true, signal, onActive }: MigrateOptions = {},
): Promise<string[]> {
  const migrations = await readMigrations(directory);
  const client = await openConnection({ url, applicationName: 'frontdesk-migrate', signal, onActive });
  try {
    await client.query('SELECT pg_advisory_lock($1)', [migrationLock]);
    await client.query(createTable);
    const applied = await readApplied(client);
    assertHistory(migrations, applied);
    const done = new Set(applied.map((row) => row.migration_name));
    const pending = migrations.filter(({ name }) => !done.has(name) && isWanted(name));
    for (const migration of pending) await withRetry(() => apply(client, migration), patience.migration);
    return pending.map((migration) => migration.name);
  } finally {
    await closeConnection(client);
  }
}

async function apply(client: pg.Client, migration: Migration): Promise<void> {
  await client.query(`BEGIN; ${limitStatements('migration', 'LOCAL')}`);
  try {
    await client.query(migration.sql);
    await client.query(
      `INSERT INTO "_prisma_migrations" (id, checksum, migration_name, finished_at, applied_steps_count) VALUES ($1, $2, $3, now(), 1)`,
      [randomUUID(), migration.checksum, migration.name],
    );
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined);
    throw new Error(`The migration ${migration.name} failed: ${(error as Error).message}`, { cause: error });
  }
}

/** True if all migrations of this version are applied; checked by `/readyz`. */
export async function isMigrated(db: pg.Pool, directory = path.resolve('prisma/migrations')): Promise<boolean> {
  const migrations = await readMigrations(directory);
  const result = await db.query<{ migration_name: string }>(
    'SELECT migration_name FROM "_prisma_migrations" WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL',
  );
  const applied = new Set(result.rows.map((row) => row.migration_name));
  return migrations.every((migration) => applied.has(migration.name));
}
