import { feature } from '@/server/platform/feature';
import { removeOldMailDays, storageReconciliation } from './quota.service';
import { removeOldSenderDays } from './sender-quota.service';
import { usageRouter } from './usage.router';
import { removeOldUsage } from './usage-retention.service';

export const usage = feature({
  name: 'usage',
  routers: { usage: usageRouter },
  jobs: [storageReconciliation],
  removals: [removeOldMailDays, removeOldSenderDays, removeOldUsage],
  api: {
    tags: [{ name: 'Usage', description: 'Token usage and executions, and how they compare with the plan’s limits.' }],
  },
  tables: [
    {
      names: [
        'usage_records',
        'usage_events',
        'usage_months',
        'usage_days',
        'agent_activity',
        'tracked_tasks',
        'mail_days',
        'owner_mail_days',
        'sender_days',
        'storage_usage',
        'stored_bytes',
      ],
    },
  ],
});
