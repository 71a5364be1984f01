import type { Task } from 'graphile-worker';
import { sessionMaxAge } from '../auth/session-token';
import { pool } from '../db/pool';
import { transaction } from '../db/sql';
import { env } from '../env';

/** Rows removed by one statement, so that none takes long. */
const batchSize = 10_000;

/** Removes what `condition` is true of, a batch at a time. */
async function removeAll(table: string, key: string, condition: string, values: unknown[]): Promise<void> {
  const text = `DELETE FROM ${table} WHERE ${key} IN (SELECT ${key} FROM ${table} WHERE ${condition} LIMIT ${batchSize})`;
  let removed: number;
  do {
    removed = await transaction(
      { kind: 'system', cause: 'upkeep' },
      async (client) => (await client.query(text, values)).rowCount ?? 0,
    );
  } while (removed === batchSize);
}

/**
 * Removes what has had its time: daily counts of API keys after 90 days (the dashboard shows the recent ones), failed sign-ins once they no
 * longer count, sessions nobody used for two weeks, and the audit log beyond AUDIT_RETENTION_DAYS. Safe to repeat at any time.
 */
export const removeExpired: Task = async () => {
  await pool().query(`DELETE FROM api_key_daily_usage WHERE day < (now() AT TIME ZONE 'UTC')::date - 90`);
  await pool().query('DELETE FROM sign_in_throttle WHERE expire < $1', [Date.now()]);
  await removeAll('sessions', 'id', 'last_seen_at < now() - make_interval(secs => $1)', [sessionMaxAge]);
  const { AUDIT_RETENTION_DAYS: days } = env();
  if (days > 0) await removeAll('audit_entries', 'id', 'occurred_at < now() - make_interval(days => $1)', [days]);
};

/** Removes answers that were kept for requests with an Idempotency-Key, once their 24 hours are over. */
export const removeExpiredAnswers: Task = async () => {
  await removeAll('idempotent_requests', 'id', `created_at < now() - interval '24 hours'`, []);
};
