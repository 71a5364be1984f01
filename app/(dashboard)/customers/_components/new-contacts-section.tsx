'use client';

import { Plus, Trash2 } from 'lucide-react';
import { useFieldArray, useFormContext } from 'react-hook-form';
import { Button } from '@/app/_kit/button';
import { FormTextField } from '@/app/_kit/form-fields';
import { FormRow } from '@/app/_kit/form-row';
import { IconButton } from '@/app/_kit/icon-button';
import { SectionCard } from '@/app/_kit/section-card';
import { contactsMaximum } from '@/server/features/customers/customer.limits';
import type { NewCustomerFields } from './customer-form';

/** The people behind a new customer; the first one becomes its primary contact. */
export function NewContactsSection() {
  const { control } = useFormContext<NewCustomerFields>();
  const { fields, append, remove } = useFieldArray({ control, name: 'contacts' });
  const isSeveral = fields.length > 1;
  return (
    <SectionCard
      title="Contacts"
      description="At least one, by email address. The first one is the primary contact: what a customer without a company goes by."
    >
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
