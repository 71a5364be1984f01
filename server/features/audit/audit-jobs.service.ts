import { removeInBatches } from '@/server/platform/db/remove-in-batches';
import { env } from '@/server/platform/env';
import type { JobDefinitions } from '@/server/platform/jobs/worker';

export const auditJobs: JobDefinitions = {
  tasks: {},
  crontab: [],
  removeExpired: async (signal) => {
    const days = env().AUDIT_RETENTION_DAYS;
    if (days === 0) return;
    const condition = 'occurred_at < now() - make_interval(days => $1)';
    await removeInBatches({ table: 'audit_entries', key: 'id', condition, values: [days], signal });
  },
};
