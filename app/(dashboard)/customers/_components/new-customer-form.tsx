'use client';

import { useMutation } from '@tanstack/react-query';
import { Plus, Trash2 } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { FormProvider, useFieldArray, useForm, useFormContext } from 'react-hook-form';
import { Button } from '@/app/_kit/button';
import { ButtonLink } from '@/app/_kit/button-link';
import { DraftNotice } from '@/app/_kit/draft-notice';
import { FormError } from '@/app/_kit/form-error';
import { FormTextField } from '@/app/_kit/form-fields';
import { FormRow } from '@/app/_kit/form-row';
import { IconButton } from '@/app/_kit/icon-button';
import { useListHref } from '@/app/_kit/list-memory';
import { PageHeader } from '@/app/_kit/page-header';
import { PendingButton } from '@/app/_kit/pending-button';
import { schemaResolver, validationTiming } from '@/app/_kit/schema-resolver';
import { SectionCard } from '@/app/_kit/section-card';
import { toast } from '@/app/_kit/toast';
import { UnsavedChangesGuard } from '@/app/_kit/unsaved-changes';
import { useFormDraft } from '@/app/_kit/use-form-draft';
import { useFormErrors, useSubmit } from '@/app/_kit/use-form-errors';
import { useTRPC } from '@/app/_trpc/client';
import { contactsMaximum } from '@/server/features/customers/customer.limits';
import { ContactConflict, conflictingCustomer } from './contact-conflict';
import { CustomerFieldsSections } from './customer-fields';
import { emptyCustomer, type NewCustomerFields, newCustomerParts } from './customer-form';
import { customerName } from './customer-name';
import { useStoreCustomer } from './use-store-customer';

const loadSchema = () => import('./customer-schema').then((module) => module.newCustomerSchema);

const resolver = schemaResolver<NewCustomerFields>(loadSchema);

interface NewCustomerFormProps {
  /** Known details of the first contact; empty strings if unknown. */
  contact: NewCustomerFields['contacts'][number];
}

/** Creates a customer and opens its page. */
export function NewCustomerForm({ contact }: NewCustomerFormProps) {
  const trpc = useTRPC();
  const router = useRouter();
  const listHref = useListHref('/customers');
  const storeCustomer = useStoreCustomer();
  const [conflict, setConflict] = useState<{ customerId: string; email: string } | null>(null);
  const form = useForm<NewCustomerFields>({
    defaultValues: { ...emptyCustomer, contacts: [contact] },
    resolver,
    ...validationTiming,
  });
  const { failure, showError, clearFailure } = useFormErrors(form);
  const { draft, forget } = useFormDraft<NewCustomerFields>({
    name: 'customer.new',
    form,
    isNew: true,
    parts: newCustomerParts,
    stored: () => ({ values: { ...emptyCustomer, contacts: [contact] }, version: 0 }),
  });
  const create = useMutation(trpc.customers.create.mutationOptions({ onSuccess: storeCustomer }));

  const onSubmit = useSubmit(form, async (typed) => {
    if (create.isSuccess) return;
    clearFailure();
    setConflict(null);
    const schema = await loadSchema();
    try {
      const customer = await create.mutateAsync(schema.parse(typed));
      forget();
      toast('Customer created', { description: customerName(customer) });
      router.push(`/customers/${customer.id}`);
    } catch (error) {
      const owner = conflictingCustomer(error);
      if (owner) setConflict({ customerId: owner, email: emailsOf(typed) });
      else showError(error);
    }
  });

  return (
    <>
      <PageHeader title="New customer" back={{ href: listHref, label: 'Customers' }} />
      <FormProvider {...form}>
        <form
          method="post"
          onSubmit={onSubmit}
          noValidate
          aria-label="New customer"
          className="flex max-w-[800px] flex-col gap-6"
        >
          {draft && <DraftNotice draft={draft} />}
          <NewContactsSection />
          <CustomerFieldsSections />
          {conflict && <ContactConflict {...conflict} />}
          <FormError failure={failure} />
          <div className="flex flex-wrap justify-end gap-2">
            <ButtonLink href={listHref}>Cancel</ButtonLink>
            <PendingButton type="submit" variant="primary" isPending={create.isPending || create.isSuccess}>
              Create customer
            </PendingButton>
          </div>
        </form>
        <UnsavedChangesGuard isDirty={form.formState.isDirty && !create.isSuccess} subject="the new customer" onLeave={forget} />
      </FormProvider>
    </>
  );
}

/** The refusal says whose contact it is, but not which of several caused it. */
function emailsOf({ contacts }: NewCustomerFields): string {
  const [only] = contacts;
  return contacts.length === 1 && only ? only.email.trim() : 'One of these contacts';
}

/** The contacts of a new customer; the first one becomes primary. */
function NewContactsSection() {
  const { control } = useFormContext<NewCustomerFields>();
  const { fields, append, remove } = useFieldArray({ control, name: 'contacts' });
  const isSeveral = fields.length > 1;
  return (
    <SectionCard title="Contacts" description="Add at least one person. The first is the primary contact.">
      <ul className="flex flex-col gap-4">
        {fields.map((field, index) => (
          <FormRow key={field.id} control={control}>
            <li
              className={`grid items-start gap-x-4 gap-y-3 ${isSeveral ? 'sm:grid-cols-[minmax(0,1fr)_minmax(0,1fr)_2.25rem]' : 'sm:grid-cols-2'} ${
                index > 0 ? 'max-sm:border-t max-sm:border-separator max-sm:pt-4' : ''
              }`}
            >
              <FormTextField
                control={control}
                name={`contacts.${index}.email`}
                label={index === 0 && isSeveral ? 'Email (primary)' : 'Email'}
                type="email"
                autoComplete="off"
                placeholder="name@company.example"
                autoFocus={index === 0 && !isSeveral}
                isRequired
              />
              <FormTextField control={control} name={`contacts.${index}.displayName`} label="Name" autoComplete="off" />
              {isSeveral && (
                <IconButton
                  size="md"
                  label={`Remove contact ${index + 1}`}
                  className="sm:mt-[1.375rem]"
                  onPress={() => remove(index)}
                >
                  <Trash2 aria-hidden className="text-muted" />
                </IconButton>
              )}
            </li>
          </FormRow>
        ))}
      </ul>
      {fields.length < contactsMaximum && (
        <Button
          variant="secondary"
          size="sm"
          className="mt-4"
          onPress={() => append({ email: '', displayName: '' }, { focusName: `contacts.${fields.length}.email` })}
        >
          <Plus aria-hidden />
          Add another contact
        </Button>
      )}
    </SectionCard>
  );
}
