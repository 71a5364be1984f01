import pg from 'pg';
import { migrate } from '@/server/platform/db/migrate';
import { startDatabase } from '../database';
import { addCustomers, type BenchIdentity, createIdentity, settle } from '../fill';
import type { Table } from '../table';

/**
 * How long an upgrade from the version before keeps its users waiting: the statements that it lives by go on while `admin database
 * prepare` works, and the start of the new version does the rest.
 */

/** The newest migration of the version before, 0.3.2. */
const versionBefore = '20261124100000_rendered_html';

const connections = 4;

async function fill(sql: pg.Client, { id }: BenchIdentity, thousands: number): Promise<void> {
  const count = thousands * 1_000;
  await sql.query(
    `INSERT INTO conversations (id, identity_id, subject, preview, counterpart_email, last_message_at, created_at)
      SELECT gen_random_uuid(), $1, 'Question ' || n, 'Is it still open?', 'ann.' || n || '@quark.example', now() - n * interval '1 minute', now()
      FROM generate_series(1, $2::int) n`,
    [id, count / 4],
  );
  await sql.query(
    `INSERT INTO conversation_participants (conversation_id, identity_id, email, role)
      SELECT id, identity_id, counterpart_email, 'from' FROM conversations WHERE identity_id = $1`,
    [id],
  );
  await sql.query(
    `INSERT INTO messages (id, identity_id, conversation_id, direction, status, from_email, subject, text, preview, message_id_header, thread_keys,
        received_at, created_at)
      SELECT gen_random_uuid(), $1, id, 'inbound', 'received', counterpart_email, subject, repeat('Is it still open? ', 20), preview,
        '<' || gen_random_uuid() || '>', '{}', now(), now() FROM conversations WHERE identity_id = $1`,
    [id],
  );
  await sql.query(
    `INSERT INTO usage_records (id, identity_id, type, total_tokens, agent_id, event_id, created_at)
      SELECT gen_random_uuid(), $1, 'token_usage', 100, 'agent-' || n % 8, CASE WHEN n % 2 = 0 THEN 'event-' || n END,
        now() - n * interval '1 second' FROM generate_series(1, $2::int) n`,
    [id, count],
  );
  await sql.query(
    `INSERT INTO audit_entries (identity_id, occurred_at, author_kind, resource, resource_id, action, after)
      SELECT $1, now() - n * interval '1 second', 'key', 'customer', gen_random_uuid()::text, 'updated', '{"notes": "another note"}'
      FROM generate_series(1, $2::int) n`,
    [id, count],
  );
}

/** What the version before does all day, as statements of its own. `$1` is the identity, `$2` a random number. */
const statements: Record<string, string> = {
  'customer created': `WITH c AS (INSERT INTO customers (id, identity_id, company, updated_at) VALUES (gen_random_uuid(), $1, 'Quark', now()) RETURNING id)
    INSERT INTO external_contacts (identity_id, guid, email, display_name, customer_id, is_primary, link_order)
    SELECT $1, gen_random_uuid(), gen_random_uuid() || '@quark.example', 'Ann', id, true, nextval('external_contacts_link_order_seq') FROM c
    WHERE $2::int IS NOT NULL`,
  'customers listed': `SELECT * FROM customers WHERE identity_id = $1 AND $2::int IS NOT NULL ORDER BY created_at DESC, id DESC LIMIT 50`,
  'message read': `SELECT * FROM messages WHERE identity_id = $1 AND conversation_id = (
    SELECT id FROM conversations WHERE identity_id = $1 ORDER BY last_message_at DESC OFFSET $2::int % 1000 LIMIT 1)`,
  'participant noted': `INSERT INTO conversation_participants (conversation_id, identity_id, email, role)
    SELECT id, $1, 'cc@quark.example', 'cc' FROM conversations WHERE identity_id = $1 ORDER BY last_message_at DESC OFFSET $2::int % 1000 LIMIT 1
    ON CONFLICT (conversation_id, email) DO UPDATE SET role = excluded.role`,
  'usage reported': `INSERT INTO usage_records (id, identity_id, type, total_tokens, event_id, created_at)
    VALUES (gen_random_uuid(), $1, 'token_usage', 1, 'new-' || $2::int, now())
    ON CONFLICT (identity_id, event_id) WHERE event_id IS NOT NULL DO NOTHING`,
};

/** Runs the statements on several connections until `stop`. @returns what each took, in milliseconds, and how many failed */
async function load(url: string, identities: readonly BenchIdentity[], stop: AbortSignal) {
  const times = new Map(Object.keys(statements).map((name) => [name, [] as number[]]));
  let failures = 0;
  const work = async () => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    while (!stop.aborted) {
      for (const [name, text] of Object.entries(statements)) {
        const identity = identities[Math.floor(Math.random() * identities.length)];
        const startedAt = performance.now();
        await client.query({ name, text, values: [identity?.id, Math.floor(Math.random() * 1e9)] }).catch(() => {
          failures++;
        });
        times.get(name)?.push(performance.now() - startedAt);
      }
    }
    await client.end();
  };
  await Promise.all(Array.from({ length: connections }, work));
  return { times, failures };
}

export async function upgrade({ quick }: { quick: boolean }): Promise<Table> {
  const database = await startDatabase(versionBefore);
  try {
    const { sql, url } = database;
    const thousands = quick ? 40 : 400;
    const identities = [await createIdentity(sql, 'enterprise'), await createIdentity(sql, 'enterprise')];
    for (const identity of identities) {
      await addCustomers(sql, identity, 1, (thousands * 1_000) / 2);
      await fill(sql, identity, thousands / 2);
    }
    await settle(sql);
    const counted = await sql.query<{ rows: number }>(
      `SELECT sum(reltuples)::float8 AS rows FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace`,
    );
    const done = new AbortController();
    const loaded = load(url, identities, done.signal);
    const startedAt = performance.now();
    await migrate(url, { prepares: true });
    const prepared = performance.now();
    done.abort();
    const { times, failures } = await loaded;
    const restFrom = performance.now();
    await migrate(url);
    const rest = performance.now() - restFrom;
    const seconds = (milliseconds: number) => `${(milliseconds / 1000).toFixed(1)} s`;
    const rows = [...times].map(([name, all]) => {
      const sorted = all.sort((a, b) => a - b);
      const at = (share: number) => `${(sorted[Math.floor((sorted.length - 1) * share)] ?? 0).toFixed(1)} ms`;
      return [name, `${sorted.length}`, at(0.5), at(0.99), at(1)];
    });
    return {
      title: 'Upgrade from 0.3.2',
      note: `${((counted.rows[0]?.rows ?? 0) / 1e6).toFixed(1)} million rows, ${connections} connections that never pause. \`admin database prepare\` took ${seconds(prepared - startedAt)} beside them, and ${failures} statements failed meanwhile; the start of the new version then took ${seconds(rest)} to migrate the rest. Target: no statement over 1 s.`,
      head: ['Statement', 'Times', 'p50', 'p99', 'Longest'],
      rows,
    };
  } finally {
    await database.remove();
  }
}
