import { expect, test } from 'vitest';
import { withFreshDatabase } from '@/server/testing/database';
import { reference } from '@/server/testing/examples';
import { pool } from './pool';

/**
 * What a database needs so that its tables can be distributed by `identity_id` over several servers, as Citus does it: all keys and
 * references of a distributed table include that column, and reference tables, which every server has whole, do not refer to
 * distributed ones. See docs/adr/0021.
 */

withFreshDatabase();

/** Tables that every server would have whole: found without an identity, or of accounts and the installation. */
const referenceTables = [...reference, '_prisma_migrations', 'idempotent_requests', 'job_workers', 'jobs'];

/** What would still have to change: mail to accounts is in the same table as that of identities. */
const openPoints = ['outbox_mails: identity_id may be null', 'outbox_mails_pkey: lacks identity_id'];

async function query<Row extends object>(text: string): Promise<Row[]> {
  return (await pool().query<Row>(text)).rows;
}

const ofProduct = `c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p')`;

async function distributedTables(): Promise<string[]> {
  const tables = await query<{ name: string }>(`SELECT c.relname AS name FROM pg_class c WHERE ${ofProduct} ORDER BY 1`);
  const names = tables.map(({ name }) => name);
  expect(referenceTables.filter((name) => !names.includes(name))).toEqual([]);
  return names.filter((name) => !referenceTables.includes(name));
}

test('every table of a business can be distributed by its identity', async () => {
  const distributed = await distributedTables();
  expect(distributed.length).toBeGreaterThan(30);
  const columns = await query<{ table: string; nullable: boolean }>(
    `SELECT c.relname AS table, NOT a.attnotnull AS nullable FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
      WHERE ${ofProduct} AND a.attname = 'identity_id' AND NOT a.attisdropped`,
  );
  const having = new Set(columns.map(({ table }) => table));
  expect(distributed.filter((table) => !having.has(table))).toEqual([]);
  const found = columns
    .filter(({ table, nullable }) => nullable && distributed.includes(table))
    .map(({ table }) => `${table}: identity_id may be null`);
  const keys = await query<{ table: string; name: string; isPrimary: boolean; columns: string[] }>(
    `SELECT c.relname AS table, k.relname AS name, i.indisprimary AS "isPrimary",
        (SELECT array_agg(a.attname::text ORDER BY n.position) FROM unnest(i.indkey::int2[]) WITH ORDINALITY n(number, position)
          LEFT JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = n.number) AS columns
      FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid JOIN pg_class k ON k.oid = i.indexrelid
      WHERE ${ofProduct} AND (i.indisunique OR i.indisexclusion)`,
  );
  for (const { table, name, isPrimary, columns: of } of keys) {
    if (!distributed.includes(table)) continue;
    if (!of.includes('identity_id')) found.push(`${name}: lacks identity_id`);
    else if (isPrimary && of[0] !== 'identity_id') found.push(`${name}: does not begin with identity_id`);
  }
  expect(found.sort()).toEqual(openPoints);
});

test('references stay on one server', async () => {
  const distributed = await distributedTables();
  const references = await query<{ name: string; from: string; to: string; pairs: string[] }>(
    `SELECT f.conname AS name, c.relname AS from, t.relname AS to,
        (SELECT array_agg(format('%s=%s', a.attname, b.attname)) FROM unnest(f.conkey, f.confkey) p(here, there)
          JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = p.here JOIN pg_attribute b ON b.attrelid = t.oid AND b.attnum = p.there) AS pairs
      FROM pg_constraint f JOIN pg_class c ON c.oid = f.conrelid JOIN pg_class t ON t.oid = f.confrelid WHERE ${ofProduct} AND f.contype = 'f'`,
  );
  expect(references.length).toBeGreaterThan(30);
  const crossing = references.filter(
    ({ from, to, pairs }) =>
      distributed.includes(to) && !(distributed.includes(from) && pairs.includes('identity_id=identity_id')),
  );
  expect(crossing.map(({ name }) => name)).toEqual([]);
});
