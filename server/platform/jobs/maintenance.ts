import type { Task } from 'graphile-worker';
import { sessionLifetime, sessionMaxAge } from '../auth/session-token';
import { removeOldAttempts } from '../auth/sign-in-throttle';
import { pool } from '../db/pool';
import { transaction } from '../db/transaction';
import { env } from '../env';
import { isTimeCertain } from './clock-jump';

/** Rows removed by one statement, so that none takes long. */
const batchSize = 10_000;

/** Removes what `condition` is true of, a batch at a time. */
async function removeAll(signal: AbortSignal | undefined, table: string, key: string, condition: string, values: unknown[]) {
  const text = `DELETE FROM ${table} WHERE ${key} IN (SELECT ${key} FROM ${table} WHERE ${condition} LIMIT ${batchSize})`;
  let removed: number;
  do {
    signal?.throwIfAborted();
    removed = await transaction(
      { kind: 'system', cause: 'upkeep' },
      async (client) => (await client.query(text, values)).rowCount ?? 0,
    );
  } while (removed === batchSize);
}

/** Rows of the security log that are kept however recent they are: what a flood of a day leaves fits in, that of a month does not. */
const securityEventsMaximum = 200_000;

/**
 * Removes what has had its time: daily counts of API keys and of mail after 90 days (the dashboard shows the recent ones), failed sign-ins
 * once they no longer count, sessions no one used for two weeks or that began 90 days ago, the audit log beyond AUDIT_RETENTION_DAYS, the
 * security log beyond SECURITY_LOG_RETENTION_DAYS or 200,000 rows. Safe to repeat at any time. Sessions used under a clock that was ahead
 * have their time from now on. Mail to accounts goes after a week, links mailed to them when they end.
 */
export const removeExpired: Task = async (_payload, helpers) => {
  const signal = helpers?.abortSignal;
  if (!(await isTimeCertain())) return;
  await pool().query(`DELETE FROM api_key_daily_usage WHERE day < (now() AT TIME ZONE 'UTC')::date - 90`);
  await pool().query(`DELETE FROM mail_days WHERE day < (now() AT TIME ZONE 'UTC')::date - 90`);
  await removeOldAttempts();
  await pool().query(`UPDATE sessions SET last_seen_at = least(last_seen_at, now()), created_at = least(created_at, now()),
      confirmed_at = least(confirmed_at, now())
    WHERE greatest(last_seen_at, created_at, confirmed_at) > now() + interval '1 hour'`);
  const isOver = 'last_seen_at < now() - make_interval(secs => $1) OR created_at < now() - make_interval(secs => $2)';
  await removeAll(signal, 'sessions', 'id', isOver, [sessionMaxAge, sessionLifetime]);
  await removeAll(signal, 'outbox_mails', 'id', `identity_id IS NULL AND created_at < now() - interval '7 days'`, []);
  await removeAll(signal, 'account_links', 'hash', 'expires_at < now()', []);
  const { AUDIT_RETENTION_DAYS: days, SECURITY_LOG_RETENTION_DAYS: securityDays } = env();
  if (days > 0) await removeAll(signal, 'audit_entries', 'id', 'occurred_at < now() - make_interval(days => $1)', [days]);
  await removeAll(signal, 'security_events', 'id', 'last_at < now() - make_interval(days => $1)', [securityDays]);
  await removeAll(signal, 'security_events', 'id', 'id <= (SELECT id FROM security_events ORDER BY id DESC OFFSET $1 LIMIT 1)', [
    securityEventsMaximum,
  ]);
};

/**
 * Removes answers that were kept for requests with an Idempotency-Key, once their 24 hours are over. Those of a clock that was ahead have
 * their 24 hours from now on: their keys come free, but not while somebody may still repeat the request.
 */
export const removeExpiredAnswers: Task = async (_payload, helpers) => {
  const signal = helpers?.abortSignal;
  if (!(await isTimeCertain())) return;
  // One without an answer keeps its time: what its request reported is told by it from what a later one reports.
  await pool().query(`UPDATE idempotent_requests SET created_at = now()
    WHERE created_at > now() + interval '1 minute' AND (status IS NOT NULL OR is_applied)`);
  await removeAll(signal, 'idempotent_requests', 'id', `created_at < now() - interval '24 hours'`, []);
};
