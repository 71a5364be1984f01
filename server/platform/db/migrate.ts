import { createHash, randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type pg from 'pg';
import { ConfigurationError } from '../env';
import { checkDatabase } from './check-database';
import { closeConnection } from './connection';
import { openConnection } from './own-connection';
import { limitStatements, patience } from './time-limits';
import { withRetry } from './transaction';

interface Migration {
  name: string;
  /** One for a migration that is a transaction; several for one that goes on beside a running server. */
  steps: string[];
  isOnline: boolean;
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

/** Milliseconds between two attempts to take the lock. */
const lockPause = 100;

/**
 * Takes the lock of migrations, which the connection holds until it ends. Attempts are separate statements: one that waits for the
 * lock has a snapshot, and CREATE INDEX CONCURRENTLY of the lock's holder would wait for that one.
 */
export async function lockMigrations(client: pg.Client): Promise<void> {
  for (;;) {
    const { rows } = await client.query<{ taken: boolean }>('SELECT pg_try_advisory_lock($1) AS taken', [migrationLock]);
    if (rows[0]?.taken) return;
    await setTimeout(lockPause);
  }
}

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
      const [first = '', ...steps] = sql.split(/^-- step\b.*$/m);
      const isOnline = first.startsWith('-- online');
      return {
        name,
        steps: isOnline ? steps : [sql],
        isOnline,
        checksum: createHash('sha256').update(sql).digest('hex'),
      };
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
  /** Runs only the steps that servers of the version before can go on beside. */
  prepares?: boolean;
  /** Called with what a step tells of its progress. */
  onProgress?: ((text: string) => void) | undefined;
  /** Called repeatedly while the database works on a migration; never while another server migrates. */
  onActive?: (() => void) | undefined;
}

/**
 * Migrates the database to the newest version, offline and compatible with `prisma migrate` (same table, checksums and lock).
 * Each migration is one transaction together with its entry, so after `kill -9` it is either applied or not. Several servers
 * may start at the same time: one migrates, the others wait.
 *
 * One that begins with `-- online` is for large tables that are in use. Its steps, each below a line `-- step`, run on their own
 * (outside of a transaction if a step is one statement, as CREATE INDEX CONCURRENTLY demands). The last one is short, and a
 * transaction together with the entry. Those before it leave everything that the version before needs, and are repeated after an
 * interruption, so each must be repeatable at next to no cost: IF NOT EXISTS and the like. They can be done ahead of the upgrade,
 * beside servers of the version before (`prepares`).
 *
 * There is no time limit while the server works on a migration, or while another server migrates.
 * @returns the names of the newly applied (or prepared) migrations, oldest first.
 */
export async function migrate(
  url: string,
  {
    directory = path.resolve('prisma/migrations'),
    isWanted = () => true,
    prepares = false,
    signal,
    onActive,
    onProgress,
  }: MigrateOptions = {},
): Promise<string[]> {
  const migrations = await readMigrations(directory);
  let holdsLock = false;
  // Attempts to take the lock are no progress, however many are answered.
  const noteActivity = onActive && (() => holdsLock && onActive());
  const client = await openConnection({ url, applicationName: 'frontdesk-migrate', signal, onActive: noteActivity });
  client.on('notice', ({ severity, message }) => {
    if (severity === 'INFO') onProgress?.(message ?? '');
  });
  try {
    await checkDatabase(client);
    await lockMigrations(client);
    holdsLock = true;
    await client.query(createTable);
    const applied = await readApplied(client);
    assertHistory(migrations, applied);
    const done = new Set(applied.map((row) => row.migration_name));
    const pending = migrations.filter(({ name }) => !done.has(name) && isWanted(name));
    // What comes before must be applied.
    const end = pending.findIndex(({ isOnline }) => !isOnline);
    const wanted = prepares && end >= 0 ? pending.slice(0, end) : pending;
    for (const migration of wanted) {
      if (migration.isOnline) await prepare(client, migration);
      if (!prepares) await apply(client, migration);
    }
    return wanted.map(({ name }) => name);
  } finally {
    await closeConnection(client);
  }
}

/** Runs a step until no lock stops it. */
async function runStep({ name }: Migration, step: () => Promise<unknown>): Promise<void> {
  await withRetry(async () => {
    try {
      await step();
    } catch (error) {
      throw new Error(`The migration ${name} failed: ${(error as Error).message}`, { cause: error });
    }
  }, patience.migration);
}

/** Applies a migration, or the last step of one, in a transaction together with its entry. */
async function apply(client: pg.Client, migration: Migration): Promise<void> {
  const { name, checksum, steps } = migration;
  await runStep(migration, async () => {
    await client.query(`BEGIN; ${limitStatements('migration', 'LOCAL')}`);
    try {
      await client.query(steps.at(-1) ?? '');
      await client.query(
        `INSERT INTO "_prisma_migrations" (id, checksum, migration_name, finished_at, applied_steps_count) VALUES ($1, $2, $3, now(), $4)`,
        [randomUUID(), checksum, name, steps.length],
      );
      await client.query('COMMIT');
    } catch (error) {
      await client.query('ROLLBACK').catch(() => undefined);
      throw error;
    }
  });
}

/** Runs all steps but the last. */
async function prepare(client: pg.Client, migration: Migration): Promise<void> {
  await client.query(limitStatements('migration'));
  for (const step of migration.steps.slice(0, -1)) {
    await runStep(migration, async () => {
      await dropInvalidIndexes(client);
      await client.query(step);
    });
  }
  await client.query(limitStatements('unlimited'));
}

/** Drops what an interrupted CREATE INDEX CONCURRENTLY left, which would count as existing. */
async function dropInvalidIndexes(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT format('%I.%I', n.nspname, c.relname) AS name FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
      JOIN pg_namespace n ON n.oid = c.relnamespace WHERE NOT i.indisvalid AND n.nspname = 'public' AND c.relkind = 'i'`,
  );
  for (const { name } of rows) await client.query(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`);
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
