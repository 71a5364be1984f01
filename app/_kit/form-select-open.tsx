'use client';

import { Description } from '@heroui/react/description';
import { FieldError } from '@heroui/react/field-error';
import { Label } from '@heroui/react/label';
import { ListBox } from '@heroui/react/list-box';
import { Select } from '@heroui/react/select';
import { useEffect, useRef, useState } from 'react';
import { type FieldValues, useController } from 'react-hook-form';
import { fieldMessage } from './field-message';
import type { FieldProps } from './form-field-props';

export interface FormSelectProps<Values extends FieldValues> extends FieldProps<Values> {
  options: readonly { value: string; label: string }[];
  onValueChange?: (value: string) => void;
}

interface OpenFormSelectProps<Values extends FieldValues> extends FormSelectProps<Values> {
  /** True where it was pressed; false where only the focus came to it. */
  isPressed: boolean;
}

/** HeroUI's select, which takes the place and the focus of the button that stood for it. */
export function OpenFormSelect<Values extends FieldValues>(props: OpenFormSelectProps<Values>) {
  const { control, name, label, description, isRequired, isDisabled, hideLabel, className, options, onValueChange, isPressed } =
    props;
  const { field, fieldState } = useController({ control, name });
  const trigger = useRef<HTMLButtonElement | null>(null);
  const [isOpen, setIsOpen] = useState(false);
  useEffect(() => {
    trigger.current?.focus();
    setIsOpen(isPressed);
  }, [isPressed]);
  return (
    <Select
      fullWidth
      isOpen={isOpen}
      onOpenChange={setIsOpen}
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
      <Select.Trigger
        ref={(element) => {
          trigger.current = element;
          field.ref(element);
        }}
      >
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
