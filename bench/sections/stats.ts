import type pg from 'pg';
import { startDatabase } from '../database';
import { type BenchIdentity, createIdentity } from '../fill';
import { type MakeRequest, measure } from '../load';
import { startProduct } from '../server';
import { median, milliseconds, type Table, whole } from '../table';

/** Whether usage statistics are as fast after millions of records as with none. */

const recordCount = 5_000_000;
const fewer = 200_000; // enough for --quick

/** Records of this month as tracking leaves them: rows, and their sums spread over as many rows as there were connections. */
async function addRecords(sql: pg.Client, { id }: BenchIdentity, count: number): Promise<void> {
  const batch = 500_000;
  for (let from = 0; from < count; from += batch) {
    await sql.query(
      `INSERT INTO usage_records (id, identity_id, type, total_tokens, model, operation, agent_id, created_at)
       SELECT gen_random_uuid(), $1, 'token_usage', 1000, 'sonnet', 'reply', 'agent-' || n % 8, now() FROM generate_series(1, $2::int) n`,
      [id, Math.min(batch, count - from)],
    );
  }
  const month = `date_trunc('month', now() AT TIME ZONE 'UTC')::date`;
  await sql.query(
    `INSERT INTO usage_months (identity_id, month, shard, tokens, executions)
     SELECT $1, ${month}, gen_random_uuid(), $2::bigint * 100, 0 FROM generate_series(1, 10)`,
    [id, count],
  );
  await sql.query(
    `INSERT INTO usage_days (identity_id, day, slice, shard, agent_id, model, operation, tokens, executions)
     SELECT $1, (now() AT TIME ZONE 'UTC')::date - day, gen_random_uuid(), gen_random_uuid(), 'agent-' || agent, 'sonnet', 'reply',
       $2::bigint * 1000 / 240 / 10, 0
     FROM generate_series(0, 29) day, generate_series(0, 7) agent, generate_series(1, 10)`,
    [id, count],
  );
  await sql.query('VACUUM (ANALYZE) usage_records, usage_months, usage_days');
}

export async function stats({ quick }: { quick: boolean }): Promise<Table> {
  const [count, roundCount, seconds] = quick ? [fewer, 1, 2] : [recordCount, 5, 2];
  const database = await startDatabase();
  try {
    const [unused, used] = [await createIdentity(database.sql, 'enterprise'), await createIdentity(database.sql, 'enterprise')];
    await addRecords(database.sql, used, count);
    const product = await startProduct(database.dataDir, database.url);
    const read = async ({ keys: [key = ''] }: BenchIdentity, duration: number) => {
      const make: MakeRequest = () => ({ path: '/api/v1/usage/stats', key });
      return measure(product, database.pid, make, { connections: 8, duration, status: 200 });
    };
    const rounds: { before: number; after: number; perSecond: number }[] = [];
    try {
      for (const identity of [unused, used]) await read(identity, seconds);
      for (let i = 0; i < roundCount; i++) {
        const [before, after] = [await read(unused, seconds), await read(used, seconds)];
        rounds.push({ before: before.p50, after: after.p50, perSecond: after.perSecond });
      }
    } finally {
      await product.stop();
    }
    return {
      title: 'Usage statistics',
      note: 'p50 of `GET /usage/stats` at 8 connections. Target: within 2×.',
      head: ['p50 ms without records', `p50 ms with ${whole(count)}`, 'Factor', 'Requests/s'],
      rows: [
        [
          milliseconds(median(rounds.map(({ before }) => before))),
          milliseconds(median(rounds.map(({ after }) => after))),
          median(rounds.map(({ before, after }) => after / before)).toFixed(1),
          whole(median(rounds.map(({ perSecond }) => perSecond))),
        ],
      ],
    };
  } finally {
    await database.remove();
  }
}
