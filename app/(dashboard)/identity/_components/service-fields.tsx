'use client';

import { useFormContext } from 'react-hook-form';
import { FormTextArea, FormTextField } from '@/app/_kit/form-fields';
import { FormSelect } from '@/app/_kit/form-select';
import { billingIntervals } from '@/server/features/identity/identity.limits';
import { intervalLabels } from './currencies';
import { CurrencyField } from './currency-field';
import { PriceField } from './price-field';
import type { ProfileValues } from './profile-values';

const intervals = billingIntervals.map((value) => ({ value, label: intervalLabels[value].label }));

/** Everything about one service but its place and whether it is offered. */
export function ServiceFields({ index }: { index: number }) {
  const { control } = useFormContext<ProfileValues>();
  return (
    <div className="grid items-start gap-4 sm:grid-cols-3">
      <FormTextField
        control={control}
        name={`profile.services.${index}.name`}
        label="Name"
        className="sm:col-span-3"
        isRequired
      />
      <PriceField index={index} />
      <CurrencyField index={index} />
      <FormSelect control={control} name={`profile.services.${index}.billingInterval`} label="Billing" options={intervals} />
      <FormTextArea
        control={control}
        name={`profile.services.${index}.description`}
        label="Description"
        rows={3}
        className="sm:col-span-3"
      />
    </div>
  );
}
