import { pool } from '../db/pool';
import { removeInBatches } from '../db/remove-in-batches';
import { env } from '../env';
import { sessionLifetime, sessionMaxAge } from './session-token';
import { removeOldAttempts } from './sign-in-throttle';

/** Maximum rows of the security log, however recent. Enough for one day of an attack, but not for a month of it. */
const securityEventsMaximum = 200_000;

/**
 * Removes expired failed sign-ins, sessions unused for two weeks or older than 90 days, and security log rows beyond
 * SECURITY_LOG_RETENTION_DAYS or 200,000 rows. Sessions with a last use in the future (the clock was ahead) are set to now.
 */
export async function removeOldAccess(signal?: AbortSignal): Promise<void> {
  await removeOldAttempts();
  await pool().query(`UPDATE sessions SET last_seen_at = least(last_seen_at, now()), created_at = least(created_at, now()),
      confirmed_at = least(confirmed_at, now())
    WHERE greatest(last_seen_at, created_at, confirmed_at) > now() + interval '1 hour'`);
  const isOver = 'last_seen_at < now() - make_interval(secs => $1) OR created_at < now() - make_interval(secs => $2)';
  const values = [sessionMaxAge, sessionLifetime];
  await removeInBatches({ table: 'sessions', condition: isOver, values, signal });
  await removeInBatches({
    table: 'security_events',
    condition: 'last_at < now() - make_interval(days => $1)',
    values: [env().SECURITY_LOG_RETENTION_DAYS],
    signal,
  });
  await removeInBatches({
    table: 'security_events',
    condition: 'id <= (SELECT id FROM security_events ORDER BY id DESC OFFSET $1 LIMIT 1)',
    values: [securityEventsMaximum],
    signal,
  });
}
