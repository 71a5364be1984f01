import type pg from 'pg';

/** The contents of a database, one line each, so that two databases can be compared line by line. */
const catalogQuery = `
  SELECT 'column ' || c.relname || '.' || a.attname || ' ' || format_type(a.atttypid, a.atttypmod) AS line
    FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
    WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND a.attnum > 0 AND NOT a.attisdropped
  UNION ALL
  SELECT 'not null ' || c.relname || '.' || a.attname
    FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
    WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND a.attnum > 0 AND a.attnotnull AND NOT a.attisdropped
  UNION ALL
  SELECT 'default ' || c.relname || '.' || a.attname || ' ' || pg_get_expr(d.adbin, d.adrelid)
    FROM pg_attrdef d JOIN pg_class c ON c.oid = d.adrelid JOIN pg_attribute a ON a.attrelid = d.adrelid AND a.attnum = d.adnum
    WHERE c.relnamespace = 'public'::regnamespace
  UNION ALL
  SELECT 'index ' || replace(pg_get_indexdef(i.indexrelid), ' ON ONLY ', ' ON ')
    FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid WHERE c.relnamespace = 'public'::regnamespace
  UNION ALL
  SELECT 'foreign key ' || c.relname || '.' || k.conname || ' ' || regexp_replace(pg_get_constraintdef(k.oid), ' DEFERRABLE( INITIALLY DEFERRED)?$', '')
    FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid
    WHERE c.relnamespace = 'public'::regnamespace AND k.contype = 'f'
  UNION ALL
  SELECT 'enum ' || t.typname || ' (' || string_agg(e.enumlabel, ', ' ORDER BY e.enumsortorder) || ')'
    FROM pg_type t JOIN pg_enum e ON e.enumtypid = t.oid WHERE t.typnamespace = 'public'::regnamespace GROUP BY t.typname`;

async function readCatalog(client: pg.Client): Promise<string[]> {
  const result = await client.query<{ line: string }>(catalogQuery);
  return result.rows.map((row) => row.line).sort();
}

/**
 * What the schema describes and the migrations lack, plus columns and enums that only the migrations have. Other extras
 * (checks, triggers, partial indexes, NOT NULL, when a foreign key is checked) can't be expressed in the Prisma schema.
 */
export async function differences(fromSchema: pg.Client, fromMigrations: pg.Client): Promise<string[]> {
  const [described, migrated] = [await readCatalog(fromSchema), await readCatalog(fromMigrations)];
  const missing = described.filter((line) => !migrated.includes(line));
  const surplus = migrated.filter((line) => /^(?:column (?!_prisma_migrations)|enum )/.test(line) && !described.includes(line));
  return [
    ...missing.map((line) => `missing in the migrations: ${line}`),
    ...surplus.map((line) => `missing in the schema: ${line}`),
  ];
}
