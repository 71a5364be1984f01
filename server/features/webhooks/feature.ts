import { feature } from '@/server/platform/feature';
import { eventLogRouter } from './event-log.router';
import { removeOldDeliveries, webhookJobs } from './webhook-jobs.service';
import { webhooksRouter } from './webhooks.router';

export const webhooks = feature({
  name: 'webhooks',
  routers: { events: eventLogRouter, webhooks: webhooksRouter },
  jobs: webhookJobs,
  removals: [removeOldDeliveries],
  api: {
    tags: [
      { name: 'Events', description: 'A log of changes, in order, for programs to follow.' },
      { name: 'Webhooks', description: 'URLs that events are sent to.' },
    ],
  },
  tables: [
    { names: ['webhooks', 'webhook_deliveries', 'webhook_attempts'], sharedWith: ['features/events', 'features/accounts'] },
  ],
});
