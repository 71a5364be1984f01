'use client';

import { FieldError } from '@heroui/react/field-error';
import { Input } from '@heroui/react/input';
import { Label } from '@heroui/react/label';
import { NumberField } from '@heroui/react/number-field';
import { useController, useFormContext } from 'react-hook-form';
import { fieldMessage } from '@/app/_components/field-message';
import type { ProfileValues } from './profile-values';

/** Shows the usual two digits, and never rounds away further ones that are stored. */
const format: Intl.NumberFormatOptions = { minimumFractionDigits: 2, maximumFractionDigits: 20 };

/** An amount, typed with the viewer's own decimal sign. */
export function PriceField({ index }: { index: number }) {
  const { control } = useFormContext<ProfileValues>();
  const { field, fieldState } = useController({ control, name: `profile.services.${index}.price` });
  return (
    <NumberField
      fullWidth
      validationBehavior="aria"
      formatOptions={format}
      value={field.value ?? Number.NaN}
      onChange={(price) => field.onChange(Number.isNaN(price) ? null : price)}
      onBlur={field.onBlur}
      isInvalid={fieldState.invalid}
      isRequired
    >
      <Label>Price</Label>
      <Input ref={field.ref} />
      <FieldError>{fieldMessage('Price', fieldState.error?.message)}</FieldError>
    </NumberField>
  );
}
