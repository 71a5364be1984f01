'use client';

import { useMutation } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { FormError } from '@/app/_kit/form-error';
import { FormTextField } from '@/app/_kit/form-fields';
import { PendingButton } from '@/app/_kit/pending-button';
import { schemaResolver } from '@/app/_kit/schema-resolver';
import { useFormErrors } from '@/app/_kit/use-form-errors';
import { useSubmit } from '@/app/_kit/use-submit';
import { useTRPC } from '@/app/_trpc/client';
import { ContactConflict, conflictingCustomer } from './contact-conflict';
import { useStoreCustomer } from './use-store-customer';

interface NewContact {
  email: string;
  displayName: string;
}

const blank: NewContact = { email: '', displayName: '' };
const resolver = schemaResolver<NewContact>(() =>
  import('@/server/features/customers/customer.schema').then((module) => module.contactInput),
);

/** Adds someone to a customer by email address. */
export function AddContactForm({ customerId }: { customerId: string }) {
  const trpc = useTRPC();
  const storeCustomer = useStoreCustomer();
  const [conflict, setConflict] = useState<{ customerId: string; email: string } | null>(null);
  const form = useForm<NewContact>({ defaultValues: blank, resolver });
  const { failure, showError, clearFailure } = useFormErrors(form);
  const add = useMutation(trpc.customers.addContact.mutationOptions({ onSuccess: storeCustomer }));

  const onSubmit = useSubmit(form, async ({ email, displayName }) => {
    clearFailure();
    setConflict(null);
    try {
      await add.mutateAsync({ id: customerId, email, displayName: displayName.trim() });
      form.reset(blank);
      form.setFocus('email');
    } catch (error) {
      const owner = conflictingCustomer(error);
      if (owner) setConflict({ customerId: owner, email: email.trim() });
      else showError(error);
    }
  });

  return (
    <form method="post" onSubmit={onSubmit} noValidate aria-label="Add a contact" className="flex flex-col gap-3 px-5 py-4">
      <FormTextField
        control={form.control}
        name="email"
        label="Email"
        type="email"
        autoComplete="off"
        placeholder="name@company.example"
      />
      <FormTextField control={form.control} name="displayName" label="Name" autoComplete="off" description="Optional." />
      {conflict && <ContactConflict {...conflict} />}
      <FormError failure={failure} />
      <PendingButton type="submit" variant="secondary" isPending={add.isPending} className="self-start">
        <Plus aria-hidden />
        Add contact
      </PendingButton>
    </form>
  );
}
