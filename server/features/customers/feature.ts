import { feature } from '@/server/platform/feature';
import { customersRouter } from './customer.router';

export const customers = feature({
  name: 'customers',
  routers: { customers: customersRouter },
  api: { tags: [{ name: 'Customers', description: 'Customer records, each with at least one email contact.' }] },
  tables: [{ names: ['customers', 'external_contacts', 'customer_counts'] }],
});
