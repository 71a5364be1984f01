import { eventKind } from '@/server/features/events/event-kind.schema';
import { webhookSchema } from './webhook.schema';

export const webhookEvents = eventKind({
  object: 'webhook',
  schema: webhookSchema,
  path: (id) => `/webhooks/${id}`,
  access: { scope: 'webhooks:read', notForAgents: true },
  types: {
    'webhook.disabled': 'A webhook was disabled because it failed for five days or answered 410.',
  },
});
