'use client';

import { ComboBox } from '@heroui/react/combo-box';
import { FieldError } from '@heroui/react/field-error';
import { Input } from '@heroui/react/input';
import { Label } from '@heroui/react/label';
import { ListBox } from '@heroui/react/list-box';
import { useController, useFormContext } from 'react-hook-form';
import { fieldMessage } from '@/app/_kit/field-message';
import { useShownError } from '@/app/_kit/form-row';
import { popoverContainer } from '@/app/_kit/overlay/popover';
import { commonCurrencies } from './currencies';
import type { ProfileValues } from './profile-values';

/** A currency code: one of the usual ones, or any three letters typed. */
export function CurrencyField({ index }: { index: number }) {
  const { control } = useFormContext<ProfileValues>();
  const { field, fieldState } = useController({ control, name: `profile.services.${index}.currency` });
  const shown = useShownError(fieldState);
  return (
    <ComboBox
      fullWidth
      allowsCustomValue
      menuTrigger="input"
      validationBehavior="aria"
      inputValue={field.value}
      onInputChange={(code) => {
        // Stored codes stay as they are; what is typed becomes the usual capitals.
        if (code !== field.value) field.onChange(code.trim().toUpperCase());
      }}
      onSelectionChange={(code) => {
        if (code !== null) field.onChange(String(code));
      }}
      onBlur={field.onBlur}
      isInvalid={shown !== undefined}
      isRequired
    >
      <Label>Currency</Label>
      <ComboBox.InputGroup>
        <Input ref={field.ref} autoCapitalize="characters" spellCheck={false} />
        <ComboBox.Trigger />
      </ComboBox.InputGroup>
      <FieldError>{fieldMessage('Currency', shown?.message)}</FieldError>
      <ComboBox.Popover className="min-w-60" {...popoverContainer()}>
        <ListBox>
          {commonCurrencies.map(({ code, name }) => (
            <ListBox.Item key={code} id={code} textValue={code}>
              <span className="font-mono text-xs">{code}</span>
              <span className="text-muted">{name}</span>
            </ListBox.Item>
          ))}
        </ListBox>
      </ComboBox.Popover>
    </ComboBox>
  );
}
