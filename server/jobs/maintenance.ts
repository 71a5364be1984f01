import type { Task } from 'graphile-worker';

/**
 * Removes counters whose time is over: daily counts of API keys after 90 days (the dashboard shows the recent ones), failed
 * sign-ins once they no longer count. Safe to repeat at any time.
 */
export const removeExpiredCounters: Task = async (_payload, helpers) => {
  await helpers.query(`DELETE FROM api_key_daily_usage WHERE day < (now() AT TIME ZONE 'UTC')::date - 90`);
  await helpers.query('DELETE FROM sign_in_throttle WHERE expire < $1', [Date.now()]);
};
