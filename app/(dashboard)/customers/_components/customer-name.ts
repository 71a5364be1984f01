import type { CustomerContact, CustomerRecord } from '@/server/features/customers/customer.schema';

type Named = Pick<CustomerRecord, 'company' | 'contacts'>;

export function primaryContact({ contacts }: Pick<CustomerRecord, 'contacts'>): CustomerContact | undefined {
  return contacts.find((contact) => contact.isPrimary) ?? contacts[0];
}

/** The name of a customer: the company, else the primary contact's name, else its email. */
export function customerName(customer: Named): string {
  const primary = primaryContact(customer);
  return customer.company.trim() || primary?.displayName.trim() || primary?.email || 'Customer';
}
