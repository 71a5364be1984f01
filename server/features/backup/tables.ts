import pg from 'pg';

/** The tables and sequences to back up, read from the database's catalog, so that new ones are included automatically. */

const quoted = pg.escapeIdentifier;

export interface Table {
  name: string;
  /** Stored columns in order; generated ones are computed again. */
  columns: string[];
  /** Columns of the primary key. */
  key: { name: string; isText: boolean }[];
  /** Other tables that its rows refer to. */
  parents: string[];
  isPartitioned: boolean;
}

/** All settings that affect the text format of values: it must be the same on every server. */
export const textFormSettings = `SET LOCAL client_encoding = 'UTF8'; SET LOCAL TimeZone = 'UTC'; SET LOCAL DateStyle = 'ISO, YMD';
  SET LOCAL IntervalStyle = 'postgres'; SET LOCAL extra_float_digits = 1; SET LOCAL bytea_output = 'hex';
  SET LOCAL statement_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0`;

/** The migrations' own table is excluded: a restored database gets it by migrating. */
const migrationsTable = '_prisma_migrations';

const ofThisSchema = `c.relnamespace = current_schema()::text::regnamespace
  AND NOT EXISTS (SELECT 1 FROM pg_depend d WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e')`;

const tablesQuery = `SELECT c.relname AS name,
    (SELECT json_agg(a.attname ORDER BY a.attnum) FROM pg_attribute a
      WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = '') AS columns,
    coalesce((SELECT json_agg(json_build_object('name', a.attname, 'isText', a.attcollation <> 0) ORDER BY k.position)
      FROM pg_index i CROSS JOIN LATERAL unnest(i.indkey::int2[]) WITH ORDINALITY AS k(number, position)
      JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = k.number
      WHERE i.indrelid = c.oid AND i.indisprimary), '[]') AS key,
    coalesce((SELECT json_agg(DISTINCT p.relname) FROM pg_constraint f JOIN pg_class p ON p.oid = f.confrelid
      WHERE f.conrelid = c.oid AND f.contype = 'f' AND f.confrelid <> c.oid), '[]') AS parents,
    c.relkind = 'p' AS "isPartitioned"
  FROM pg_class c WHERE c.relkind IN ('r', 'p') AND c.relname <> '${migrationsTable}' AND ${ofThisSchema} ORDER BY c.relname`;

/**
 * Sorts tables so that each comes after those its rows refer to.
 *
 * @throws Error if two tables refer to each other
 */
export function inLoadingOrder<T extends Pick<Table, 'name' | 'parents'>>(tables: readonly T[]): T[] {
  const ordered: T[] = [];
  let waiting = [...tables];
  while (waiting.length > 0) {
    const names = new Set(waiting.map(({ name }) => name));
    const ready = waiting.filter(({ parents }) => !parents.some((parent) => names.has(parent)));
    if (ready.length === 0) throw new Error(`These tables refer to each other in a circle: ${[...names].join(', ')}.`);
    ordered.push(...ready);
    waiting = waiting.filter((table) => !ready.includes(table));
  }
  return ordered;
}

/** All tables of the product in loading order. */
export async function readTables(client: pg.ClientBase): Promise<Table[]> {
  return inLoadingOrder((await client.query<Table>(tablesQuery)).rows);
}

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
