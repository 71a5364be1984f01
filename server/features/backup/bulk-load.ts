import pg from 'pg';

/**
 * Loads tables at once instead of row by row: their indexes and foreign keys are dropped first and recreated from their own
 * definitions afterwards, in one transaction. Building an index from all rows takes a fraction of adding to it row by row, most
 * of all for trigrams; a foreign key is then checked by one join.
 */

const quoted = pg.escapeIdentifier;

/** Definitions of what is dropped; all statements are complete. */
interface Definitions {
  drop: string[];
  create: string[];
}

/**
 * Indexes that no constraint needs, with those of partitions. One with properties that its definition lacks (a comment, a
 * tablespace, statistics targets) is left as it is, which is only slower.
 */
const indexesQuery = `WITH RECURSIVE found AS (
    SELECT i.indexrelid AS id, i.indexrelid AS root, NULL::oid AS parent FROM pg_index i
    WHERE i.indrelid = ANY ($1::regclass[])
      AND NOT EXISTS (SELECT FROM pg_constraint k WHERE k.conindid = i.indexrelid AND k.contype IN ('p', 'u', 'x'))
      AND NOT EXISTS (SELECT FROM pg_inherits h WHERE h.inhrelid = i.indexrelid)
    UNION ALL SELECT h.inhrelid, found.root, found.id FROM found JOIN pg_inherits h ON h.inhparent = found.id
  ), described AS (
    SELECT found.*, bool_and(
        i.indisvalid AND NOT i.indisclustered AND NOT i.indisreplident AND c.reltablespace = 0
        AND obj_description(c.oid, 'pg_class') IS NULL
        AND NOT EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attstattarget >= 0)
      ) OVER (PARTITION BY root) AS is_plain
    FROM found JOIN pg_index i ON i.indexrelid = found.id JOIN pg_class c ON c.oid = found.id
  )
  SELECT name_of(id) AS name, pg_get_indexdef(id) AS definition, name_of(parent) AS parent FROM described WHERE is_plain ORDER BY id`;

const qualified = (id: string) =>
  `(SELECT format('%I.%I', n.nspname, c.relname) FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE c.oid = ${id})`;

interface IndexRow {
  name: string;
  definition: string;
  /** The index of the partitioned table that it is a part of. */
  parent: string | null;
}

async function indexesOf(client: pg.ClientBase, tables: readonly string[]): Promise<Definitions> {
  const text = indexesQuery.replace(/name_of\((\w+)\)/g, (_, id: string) => qualified(id));
  const { rows } = await client.query<IndexRow>(text, [tables]);
  return {
    // Those of partitions go with that of their table.
    drop: rows.filter(({ parent }) => !parent).map(({ name }) => `DROP INDEX ${name}`),
    // The definition of a partitioned one leaves its parts out, so they keep their names.
    create: [
      ...rows.map(({ definition }) => definition),
      ...rows.flatMap(({ name, parent }) => (parent ? [`ALTER INDEX ${parent} ATTACH PARTITION ${name}`] : [])),
    ],
  };
}

const foreignKeysQuery = `SELECT ${qualified('k.conrelid')} AS table, k.conname AS name, pg_get_constraintdef(k.oid) AS definition
  FROM pg_constraint k WHERE k.contype = 'f' AND k.conparentid = 0 AND k.conrelid = ANY ($1::regclass[]) AND k.convalidated
    AND obj_description(k.oid, 'pg_constraint') IS NULL ORDER BY k.oid`;

async function foreignKeysOf(client: pg.ClientBase, tables: readonly string[]): Promise<Definitions> {
  const { rows } = await client.query<{ table: string; name: string; definition: string }>(foreignKeysQuery, [tables]);
  return {
    drop: rows.map(({ table, name }) => `ALTER TABLE ${table} DROP CONSTRAINT ${quoted(name)}`),
    create: rows.map(({ table, name, definition }) => `ALTER TABLE ${table} ADD CONSTRAINT ${quoted(name)} ${definition}`),
  };
}

/** Enough for most indexes to be sorted in memory, and little beside what the server has; more if it is configured so. */
const memory = `SELECT set_config('maintenance_work_mem', greatest(setting::int, 256 * 1024) || 'kB', true)
  FROM pg_settings WHERE name = 'maintenance_work_mem'`;

/**
 * Drops indexes and foreign keys of these tables inside the open transaction.
 *
 * @returns recreates them as they were; the transaction fails if rows do not satisfy them
 */
export async function deferIndexes(client: pg.ClientBase, tables: readonly { name: string }[]): Promise<() => Promise<void>> {
  const names = tables.map(({ name }) => quoted(name));
  const [keys, indexes] = [await foreignKeysOf(client, names), await indexesOf(client, names)];
  // A foreign key needs a unique index of the table it refers to.
  for (const statement of [...keys.drop, ...indexes.drop]) await client.query(statement);
  return async () => {
    await client.query(memory);
    for (const statement of [...indexes.create, ...keys.create]) await client.query(statement);
  };
}
