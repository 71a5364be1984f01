import { pool } from '../db/pool';

/** Removes the counts of requests of days that the dashboard does not show. */
export async function removeOldUsage(): Promise<void> {
  await pool().query(`DELETE FROM api_key_daily_usage WHERE day < (now() AT TIME ZONE 'UTC')::date - 90`);
}
