import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { describeApiKeyToken, generateApiKeyToken, hashApiKeyToken } from '@/server/platform/auth/api-key-token';
import type { Plan } from '@/server/platform/plan';
import { syllables, words } from './words';

/** Data in bulk, written by SQL since the API would take hours; every trigger and constraint holds for it as for any other row. */

export interface BenchIdentity {
  id: string;
  /** Tokens of its API keys. */
  keys: string[];
}

/** An identity with API keys and no customers. */
export async function createIdentity(sql: pg.Client, plan: Plan, keyCount = 1): Promise<BenchIdentity> {
  const [userId, id] = [randomUUID(), randomUUID()];
  const handle = `bench-${id.slice(0, 8)}`;
  await sql.query(`INSERT INTO users (id, email, password_hash) VALUES ($1, $2, '-')`, [userId, `${handle}@bench.example`]);
  await sql.query('INSERT INTO identities (id, handle, owner_user_id, plan) VALUES ($1, $2, $3, $4)', [id, handle, userId, plan]);
  const keys = Array.from({ length: keyCount }, generateApiKeyToken);
  for (const key of keys) {
    const { prefix, last4 } = describeApiKeyToken(key);
    await sql.query(`INSERT INTO api_keys (id, identity_id, name, hash, prefix, last4) VALUES ($1, $2, 'bench', $3, $4, $5)`, [
      randomUUID(),
      id,
      hashApiKeyToken(key),
      prefix,
      last4,
    ]);
  }
  return { id, keys };
}

/** Words to look for, and how many customers have them in their notes. */
export const terms = {
  /** In the notes of exactly twenty customers, all among the oldest 20,000. */
  rare: 'zephyrholm',
  /** In one of a thousand. */
  seldom: 'brookhaven',
  /** In more than half. */
  common: 'invoice',
  /** In none, though all its letters are common. */
  absent: 'quixotryx',
} as const;

/** A tag of every fifth customer, and one of every thousandth. */
export const benchTags = { common: 'vip', seldom: 'press' } as const;

/** The e-mail address of an identity's n-th customer. */
export function emailOf(identity: BenchIdentity, n: number): string {
  return `person.${n}@${identity.id.slice(0, 8)}.example`;
}

/** An even random number in [0, 1) that depends on the customer's number and a salt only, so that every run has the same data. */
const random = (salt: string) => `((hashint8extended(n, ${salt}) & 268435455) / 268435456.0::float8)`;
const pick = (list: string, salt: string) => `(${list})[1 + floor(${random(salt)} * cardinality(${list}))::int]`;

const insertCustomers = `
  INSERT INTO customers (id, identity_id, company, phone, tags, notes, metadata, created_at, updated_at)
  SELECT c.id, $1,
    initcap(${pick('$4::text[]', '101')} || ${pick('$4::text[]', '102')} || ${pick('$4::text[]', '103')})
      || ' ' || (ARRAY['GmbH','Ltd','Inc','Studio','Labs','Partners','& Sons','Bakery','Design','Works'])[1 + n % 10],
    '+49 40 5550 ' || (1000 + n % 9000),
    array_remove(ARRAY[
      CASE WHEN n % 5 = 0 THEN '${benchTags.common}' END, CASE WHEN n % 1000 = 13 THEN '${benchTags.seldom}' END,
      CASE WHEN n % 3 = 0 THEN 'region-' || n % 40 END], NULL),
    (SELECT string_agg(($5::text[])[1 + floor(cardinality($5::text[]) * power(${random('word')}, 2))::int], ' ' ORDER BY word)
      FROM generate_series(1, 8 + n % 25) AS word)
      || CASE WHEN n % 1000 = 7 AND n <= 20000 THEN ' ${terms.rare}' WHEN n % 1000 = 8 THEN ' ${terms.seldom}' ELSE '' END,
    jsonb_build_object('crmId', 'Q-' || n),
    now() + (n - 1000000) * interval '20 seconds', now() + (n - 1000000) * interval '20 seconds'
  FROM unnest($2::uuid[], $3::bigint[]) AS c(id, n)`;

const insertContacts = `
  INSERT INTO external_contacts (identity_id, guid, email, display_name, customer_id, is_primary, link_order)
  SELECT $1::uuid, md5($1::uuid::text || n || position)::uuid,
    'person.' || n || CASE position WHEN 1 THEN '' ELSE '-second' END || '@' || $2::text || '.example', 'Person ' || n, c.id,
    position = 1, nextval('external_contacts_link_order_seq')
  FROM unnest($3::uuid[], $4::bigint[]) AS c(id, n), generate_series(1, CASE WHEN n % 5 = 1 THEN 2 ELSE 1 END) AS position`;

const batch = 20_000;

/** Gives an identity its customers number `from` to `to`, from the oldest to the newest, with one or two contacts each. */
export async function addCustomers(sql: pg.Client, identity: BenchIdentity, from: number, to: number): Promise<void> {
  for (let first = from; first <= to; first += batch) {
    const last = Math.min(to, first + batch - 1);
    await sql.query('BEGIN');
    const { rows } = await sql.query<{ id: string; n: string }>(
      `SELECT uuidv7((n - 1000000) * interval '20 seconds') AS id, n FROM generate_series($1::bigint, $2::bigint) AS n`,
      [first, last],
    );
    const [ids, numbers] = [rows.map((row) => row.id), rows.map((row) => row.n)];
    // Contacts first, as the product does: customers have them in their text for searching.
    await sql.query(insertContacts, [identity.id, identity.id.slice(0, 8), ids, numbers]);
    await sql.query(insertCustomers, [identity.id, ids, numbers, syllables, words]);
    await sql.query('COMMIT');
  }
}

/** Fills tables without the indexes for searching, which are then built at once: to add to them takes most of the time. */
export async function withoutSearch(sql: pg.Client, fill: () => Promise<void>): Promise<void> {
  const { rows } = await sql.query<{ name: string; definition: string }>(
    `SELECT i.indexrelid::regclass AS name, pg_get_indexdef(i.indexrelid) AS definition FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
      JOIN pg_am a ON a.oid = c.relam WHERE a.amname = 'gin' AND c.relnamespace = 'public'::regnamespace`,
  );
  for (const { name } of rows) await sql.query(`DROP INDEX ${name}`);
  await fill();
  await sql.query(`SET maintenance_work_mem = '512MB'`);
  for (const { definition } of rows) await sql.query(definition);
}

/** Leaves the tables as they are after some days of use: planner statistics fresh, nothing waiting to be merged into indexes. */
export async function settle(sql: pg.Client): Promise<void> {
  await sql.query('VACUUM (ANALYZE) customers');
  await sql.query('VACUUM (ANALYZE) external_contacts');
  await sql.query('ANALYZE');
  await sql.query('CHECKPOINT');
}
