import { spawn } from 'node:child_process';
import { chmod, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type pg from 'pg';
import { projectRoot } from '../../scripts/build.mjs';
import { startDatabase } from '../database';
import { addCustomers, type BenchIdentity, createIdentity, withoutSearch } from '../fill';
import { type Table, whole } from '../table';
import { words } from '../words';

/** How long a backup of millions of rows takes, and its restore. */

/** `$1` the identity, `$2` a number of rows, `$3` words. */
const records = [
  `INSERT INTO conversations (id, identity_id, subject, preview, status, is_read, last_message_at, message_count, counterpart_email, created_at, updated_at)
    SELECT uuidv7((n - 1000000) * interval '20 seconds'), $1, pg_temp.text_of($3, n, 5), pg_temp.text_of($3, n + 1, 20), 'waiting_customer', n % 100 <> 0,
      now() + (n - 1000000) * interval '20 seconds', 1, 'ann.' || n % 5000 || '@quark.example', now() + (n - 1000000) * interval '20 seconds', now()
    FROM generate_series(1, $2::bigint) n`,
  `INSERT INTO conversation_participants (conversation_id, identity_id, email, role)
    SELECT id, identity_id, counterpart_email, 'from' FROM conversations WHERE identity_id = $1 AND $3::text[] IS NOT NULL ORDER BY id LIMIT $2::bigint / 10`,
  `INSERT INTO messages (id, identity_id, conversation_id, direction, status, from_email, subject, text, preview, message_id_header, thread_keys,
      received_at, created_at)
    SELECT uuidv7(last_message_at - now()), $1, id, 'inbound', 'received', counterpart_email, subject, pg_temp.text_of($3, message_count + extract(epoch FROM last_message_at)::bigint, 100),
      preview, '<' || id || '@quark.example>', ARRAY['<' || gen_random_uuid() || '@quark.example>'], last_message_at, last_message_at
    FROM conversations WHERE identity_id = $1 LIMIT $2::bigint`,
  `INSERT INTO usage_records (id, identity_id, type, total_tokens, model, agent_id, created_at)
    SELECT gen_random_uuid(), $1, 'token_usage', n % 5000, 'standard', 'agent-' || n % 8, now() - n * interval '30 seconds'
    FROM generate_series(1, $2::bigint) n WHERE $3::text[] IS NOT NULL`,
  `INSERT INTO audit_entries (identity_id, occurred_at, author_kind, resource, resource_id, action, after)
    SELECT $1, now() - n * interval '30 seconds', 'key', 'customer', gen_random_uuid()::text, 'updated', jsonb_build_object('notes', pg_temp.text_of($3, n, 8))
    FROM generate_series(1, $2::bigint) n`,
];

/** Words of an identity's texts, the likeliest first. */
const textOf = `CREATE FUNCTION pg_temp.text_of(words text[], n bigint, length int) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT string_agg(words[1 + floor(cardinality(words) * power((hashint8extended(n, word) & 65535) / 65536.0::float8, 2))::int], ' ' ORDER BY word)
  FROM generate_series(1, length) AS word $$`;

/** Per million rows of everything else, 1.6 million customers with their contacts. */
async function fill(sql: pg.Client, identity: BenchIdentity, count: number): Promise<void> {
  await withoutSearch(sql, async () => {
    await addCustomers(sql, identity, 1, count * 1.6);
    await sql.query(textOf);
    for (const statement of records) await sql.query(statement, [identity.id, count, words]);
  });
  await sql.query('ANALYZE');
}

interface Summary {
  rows: number;
}

/** Runs one of the product's programs. @returns what it prints, and how many seconds it took */
async function run(script: string, args: string[], dataDir: string): Promise<Summary & { seconds: number }> {
  const startedAt = performance.now();
  const child = spawn(process.execPath, [path.join('scripts', script), ...args], {
    cwd: projectRoot,
    env: { PATH: process.env.PATH, NODE_ENV: 'production', DATA_DIR: dataDir },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  for await (const chunk of child.stdout) output += chunk;
  const code = await new Promise((resolve) => (child.exitCode === null ? child.once('exit', resolve) : resolve(child.exitCode)));
  if (code !== 0) throw new Error(`${script} failed.`);
  return { ...(JSON.parse(output) as Summary), seconds: (performance.now() - startedAt) / 1000 };
}

export async function restore({ quick }: { quick: boolean }): Promise<Table> {
  const directory = await mkdtemp(path.join(os.tmpdir(), 'frontdesk-bench-restore-'));
  await chmod(directory, 0o711); // as root, PostgreSQL runs as another user, who must get through
  const [file, target] = [path.join(directory, 'backup.tar.gz'), path.join(directory, 'data')];
  const database = await startDatabase();
  try {
    await fill(database.sql, await createIdentity(database.sql, 'enterprise'), quick ? 50_000 : 1_000_000);
    await writeFile(path.join(database.dataDir, 'auth-secret'), `${'x'.repeat(32)}\n`);
    await database.stop();
    const made = await run('backup.mjs', ['--to', file], database.dataDir);
    const { size } = await stat(file);
    await database.remove();
    const restored = await run('restore.mjs', ['--from', file], target);
    const row = (what: string, { rows, seconds }: typeof made, goal: string) => [
      what,
      `${seconds.toFixed(1)} s`,
      whole(rows / seconds),
      goal,
    ];
    return {
      title: 'Backup and restore',
      note: `${(made.rows / 1e6).toFixed(1)} million rows: customers with contacts, conversations, messages, usage and audit entries; the archive has ${whole(size / 1e6)} MB.`,
      head: ['What', 'Time', 'Rows/s', 'Target'],
      rows: [row('backup', made, ''), row('restore', restored, 'under 180 s for 7.6 million rows')],
    };
  } finally {
    await database.remove();
    await rm(directory, { recursive: true, force: true });
  }
}
