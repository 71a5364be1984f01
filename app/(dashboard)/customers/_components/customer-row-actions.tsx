'use client';

import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { CopyButton } from '@/app/_kit/copy-button';
import { IconButton } from '@/app/_kit/icon-button';
import type { CustomerRecord } from '@/server/features/customers/customer.schema';
import { customerName, primaryContact } from './customer-name';
import { DeleteCustomerDialog } from './delete-customer-dialog';

/** What can be done with a customer without opening it. */
export function CustomerRowActions({ customer }: { customer: CustomerRecord }) {
  const [isDeleting, setIsDeleting] = useState(false);
  const name = customerName(customer);
  return (
    <>
      <CopyButton size="sm" value={primaryContact(customer)?.email ?? ''} label={`Copy email of ${name}`} />
      <IconButton label={`Delete ${name}`} onPress={() => setIsDeleting(true)}>
        <Trash2 aria-hidden />
      </IconButton>
      <DeleteCustomerDialog customer={customer} isOpen={isDeleting} onOpenChange={setIsDeleting} />
    </>
  );
}
