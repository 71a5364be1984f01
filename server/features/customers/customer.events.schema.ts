import { eventKind } from '@/server/features/events/event-kind.schema';
import { customerSchema } from './customer.schema';

export const customerEvents = eventKind({
  object: 'customer',
  schema: customerSchema,
  path: (id) => `/identity/customers/${id}`,
  access: { scope: 'customers:read' },
  types: {
    'customer.created': 'A customer was created or restored.',
    'customer.updated': 'A customer, its tags or its contacts changed.',
    'customer.deleted': 'A customer was deleted. It can be restored for 30 days; its contacts are kept.',
  },
});
