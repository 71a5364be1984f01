import type { CustomerContact, CustomerRecord } from '@/server/features/customers/customer.schema';

type Named = Pick<CustomerRecord, 'company' | 'contacts'>;

/** The customer's primary contact. */
export function primaryContact({ contacts }: Pick<CustomerRecord, 'contacts'>): CustomerContact | undefined {
  return contacts.find((contact) => contact.isPrimary) ?? contacts[0];
}

/** What a customer is called: the company, else the primary contact's name, else its email. */
export function customerName(customer: Named): string {
  const primary = primaryContact(customer);
  return customer.company.trim() || primary?.displayName.trim() || primary?.email || 'Customer';
}
