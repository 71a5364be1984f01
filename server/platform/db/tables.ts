import type { RowReader } from './sql';

/** The tables of the product, read from the database's catalog, so that new ones are included by themselves. */

export interface Table {
  name: string;
  /** Stored columns in order; generated ones are computed again. */
  columns: string[];
  /** Columns of the primary key. */
  key: { name: string; isText: boolean }[];
  /** Columns by whose values alone rows are found. */
  indexed: string[];
  /** Other tables that its rows refer to. */
  parents: string[];
  isPartitioned: boolean;
}

/** The migrations' own table is excluded: a restored database gets it by migrating. */
export const migrationsTable = '_prisma_migrations';

export const ofThisSchema = `c.relnamespace = current_schema()::text::regnamespace
  AND NOT EXISTS (SELECT 1 FROM pg_depend d WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e')`;

const tablesQuery = `SELECT c.relname AS name,
    (SELECT json_agg(a.attname ORDER BY a.attnum) FROM pg_attribute a
      WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = '') AS columns,
    coalesce((SELECT json_agg(json_build_object('name', a.attname, 'isText', a.attcollation <> 0) ORDER BY k.position)
      FROM pg_index i CROSS JOIN LATERAL unnest(i.indkey::int2[]) WITH ORDINALITY AS k(number, position)
      JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = k.number
      WHERE i.indrelid = c.oid AND i.indisprimary), '[]') AS key,
    coalesce((SELECT json_agg(DISTINCT a.attname) FROM pg_index i JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = i.indkey[0]
      WHERE i.indrelid = c.oid AND i.indisvalid AND i.indpred IS NULL), '[]') AS indexed,
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
export async function readTables(db: RowReader): Promise<Table[]> {
  return inLoadingOrder((await db.query<Table>({ name: 'tables', text: tablesQuery })).rows);
}
