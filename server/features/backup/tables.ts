import pg from 'pg';
import { migrationsTable, ofThisSchema, type Table } from '@/server/platform/db/tables';

/** Statements that copy tables and sequences. */

const quoted = pg.escapeIdentifier;

/** All settings that affect the text format of values: it must be the same on every server. */
export const textFormSettings = `SET LOCAL client_encoding = 'UTF8'; SET LOCAL TimeZone = 'UTC'; SET LOCAL DateStyle = 'ISO, YMD';
  SET LOCAL IntervalStyle = 'postgres'; SET LOCAL extra_float_digits = 1; SET LOCAL bytea_output = 'hex';
  SET LOCAL statement_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0`;

const columnList = (columns: readonly string[]) => columns.map(quoted).join(', ');

/** Selects a table's rows in an order that does not depend on the database's collation. */
export function copyOutStatement({ name, columns, key }: Pick<Table, 'name' | 'columns' | 'key'>): string {
  const byKey = key.map((column) => `${quoted(column.name)}${column.isText ? ' COLLATE "C"' : ''}`).join(', ');
  const order = byKey || `${quoted(name)}::text COLLATE "C"`;
  return `COPY (SELECT ${columnList(columns)} FROM ${quoted(name)} ORDER BY ${order}) TO STDOUT`;
}

/** For a table that the same transaction created or truncated. PostgreSQL can't freeze rows of a partitioned one. */
export function copyInStatement({ name, columns, isPartitioned }: Pick<Table, 'name' | 'columns' | 'isPartitioned'>): string {
  return `COPY ${quoted(name)} (${columnList(columns)}) FROM STDIN${isPartitioned ? '' : ' WITH (FREEZE)'}`;
}

export interface Sequence {
  name: string;
  lastValue: string;
  isCalled: boolean;
}

/** Read after the snapshot was taken: sequences are not transactional and only ever ahead of the rows. */
export async function readSequences(client: pg.ClientBase): Promise<Sequence[]> {
  const found = await client.query<{ name: string }>(
    `SELECT c.relname AS name FROM pg_class c WHERE c.relkind = 'S' AND ${ofThisSchema} ORDER BY c.relname`,
  );
  const sequences: Sequence[] = [];
  for (const { name } of found.rows) {
    const { rows } = await client.query<Omit<Sequence, 'name'>>(
      `SELECT last_value::text AS "lastValue", is_called AS "isCalled" FROM ${quoted(name)}`,
    );
    for (const row of rows) sequences.push({ name, ...row });
  }
  return sequences;
}

export interface AppliedMigration {
  name: string;
  checksum: string;
}

/** The applied migrations, oldest first; none for an unused database. */
export async function readMigrations(client: pg.ClientBase): Promise<AppliedMigration[]> {
  const { rows } = await client.query<{ exists: boolean }>(
    `SELECT EXISTS (SELECT 1 FROM pg_class c WHERE c.relname = '${migrationsTable}' AND ${ofThisSchema}) AS exists`,
  );
  if (!rows[0]?.exists) return [];
  const applied = await client.query<AppliedMigration>(
    `SELECT migration_name AS name, checksum FROM ${quoted(migrationsTable)}
      WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL ORDER BY migration_name COLLATE "C"`,
  );
  return applied.rows;
}

/**
 * By convention, every column with a hash of the content store is called sha256. @returns the query for all such hashes; null
 * without any
 */
export function storedFilesQuery(tables: readonly Table[]): string | null {
  const naming = tables.filter(({ columns }) => columns.includes('sha256'));
  return naming.map(({ name }) => `SELECT sha256 FROM ${quoted(name)} WHERE sha256 IS NOT NULL`).join(' UNION ') || null;
}
