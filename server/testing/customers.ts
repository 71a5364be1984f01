import { createCustomerInput } from '@/server/features/customers/customer.schema';
import { createCustomer } from '@/server/features/customers/customer.service';
import type { IdentityActor } from '@/server/platform/actor';

let contacts = 0;

/** Customers with these fields, the first one oldest; each has a contact of its own unless they name some. @returns their ids */
export async function fillCustomers(actor: IdentityActor, ...customers: Record<string, unknown>[]): Promise<string[]> {
  const ids: string[] = [];
  for (const fields of customers) {
    const input = createCustomerInput.parse({ contacts: [{ email: `c${contacts++}@x.io` }], ...fields });
    ids.push((await createCustomer(actor, input)).id);
  }
  return ids;
}
