'use client';

import { SectionCard } from '@/app/_kit/section-card';
import type { CustomerRecord } from '@/server/features/customers/customer.schema';
import { AddContactForm } from './add-contact-form';
import { ContactRow } from './contact-row';

/** The people behind a customer. Adding and removing take effect at once, apart from the form beside it. */
export function ContactsCard({ customer }: { customer: CustomerRecord }) {
  const isOnly = customer.contacts.length === 1;
  return (
    <SectionCard title="Contacts" description="Changes here take effect at once." flush>
      <ul>
        {customer.contacts.map((contact) => (
          <ContactRow key={contact.guid} customer={customer} contact={contact} />
        ))}
      </ul>
      {isOnly && (
        <p id="last-contact" className="border-b border-separator px-5 py-3 text-label text-muted">
          A customer keeps at least one contact: add another before removing this one, or delete the customer.
        </p>
      )}
      <AddContactForm customerId={customer.id} />
    </SectionCard>
  );
}
