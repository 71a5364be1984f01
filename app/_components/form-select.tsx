'use client';

import { Description } from '@heroui/react/description';
import { FieldError } from '@heroui/react/field-error';
import { Label } from '@heroui/react/label';
import { ListBox } from '@heroui/react/list-box';
import { Select } from '@heroui/react/select';
import { type FieldValues, useController } from 'react-hook-form';
import { fieldMessage } from './field-message';
import type { FieldProps } from './form-field-props';

interface FormSelectProps<Values extends FieldValues> extends FieldProps<Values> {
  options: readonly { value: string; label: string }[];
  onValueChange?: (value: string) => void;
}

/** One of a few values. */
export function FormSelect<Values extends FieldValues>(props: FormSelectProps<Values>) {
  const { control, name, label, description, isRequired, isDisabled, hideLabel, className, options, onValueChange } = props;
  const { field, fieldState } = useController({ control, name });
  return (
    <Select
      fullWidth
      className={className ?? ''}
      name={field.name}
      validationBehavior="aria"
      value={field.value ?? null}
      onChange={(value) => {
        field.onChange(value);
        onValueChange?.(String(value));
      }}
      onBlur={field.onBlur}
      isInvalid={fieldState.invalid}
      isRequired={isRequired ?? false}
      isDisabled={isDisabled ?? false}
    >
      <Label className={hideLabel ? 'sr-only' : ''}>{label}</Label>
      <Select.Trigger ref={field.ref}>
        <Select.Value />
        <Select.Indicator />
      </Select.Trigger>
      {description && <Description>{description}</Description>}
      <FieldError>{fieldMessage(label, fieldState.error?.message)}</FieldError>
      <Select.Popover>
        <ListBox>
          {options.map((option) => (
            <ListBox.Item key={option.value} id={option.value} textValue={option.label}>
              {option.label}
              <ListBox.ItemIndicator />
            </ListBox.Item>
          ))}
        </ListBox>
      </Select.Popover>
    </Select>
  );
}
