import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { startEmbeddedPostgres } from '@/server/platform/db/embedded-postgres';
import { migrate } from '@/server/platform/db/migrate';

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** A data directory of the product's own kind with its database running, both gone in the end. */
export interface BenchDatabase {
  dataDir: string;
  url: string;
  /** Of the postmaster, whose children do the work. */
  pid: number;
  sql: pg.Client;
  /** Stops the database and keeps the directory, so that the product can start it itself. */
  stop(): Promise<void>;
  remove(): Promise<void>;
}

/**
 * Lets `sql` fill tables without leaving an entry in the audit log for every row, which would take longer than everything else. All other
 * triggers fire for it; for the product, all do.
 */
async function fillWithoutAudit(sql: pg.Client): Promise<void> {
  const { rows } = await sql.query<{ statement: string }>(`
    SELECT format('ALTER TABLE %s ENABLE ALWAYS TRIGGER %I', tgrelid::regclass, tgname) AS statement FROM pg_trigger
    WHERE NOT tgisinternal AND tgrelid IN (SELECT oid FROM pg_class WHERE relnamespace = 'public'::regnamespace) AND tgname NOT LIKE '%\\_audited%'`);
  for (const { statement } of rows) await sql.query(statement);
  await sql.query('SET session_replication_role = replica');
}

/**
 * Starts the embedded PostgreSQL with the product's settings and migrations, in a fresh temporary folder.
 * @param lastMigration the newest migration that it gets; all without it
 */
export async function startDatabase(lastMigration?: string): Promise<BenchDatabase> {
  const dataDir = await mkdtemp(path.join(os.tmpdir(), 'frontdesk-bench-'));
  await chmod(dataDir, 0o711); // as root, PostgreSQL runs as another user, who must get through
  const database = await startEmbeddedPostgres({ dataDir, holder: 'frontdesk' });
  let running = true;
  const interrupted = () => void remove().finally(() => process.exit(1));
  for (const signal of signals) process.on(signal, interrupted);
  await migrate(database.url, { isWanted: (name) => lastMigration === undefined || name <= lastMigration });
  const sql = new pg.Client({ connectionString: database.url, application_name: 'frontdesk-bench' });
  await sql.connect();
  await fillWithoutAudit(sql);
  const [pid] = (await readFile(path.join(dataDir, 'postgres', 'postmaster.pid'), 'utf8')).split('\n');
  const stop = async () => {
    if (!running) return;
    running = false;
    await sql.end();
    await database.stop();
  };
  const remove = async () => {
    for (const signal of signals) process.off(signal, interrupted);
    await stop();
    await rm(dataDir, { recursive: true, force: true });
  };
  return { dataDir, url: database.url, pid: Number(pid), sql, stop, remove };
}
