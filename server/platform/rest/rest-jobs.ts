import { pool } from '../db/pool';
import type { JobDefinitions } from '../jobs/worker';

export const restJobs: JobDefinitions = {
  tasks: {},
  crontab: [],
  removeExpired: async () => {
    // The dashboard shows recent days.
    await pool().query(`DELETE FROM api_key_daily_usage WHERE day < (now() AT TIME ZONE 'UTC')::date - 90`);
  },
};
