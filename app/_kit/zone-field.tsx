import { ComboBox } from '@heroui/react/combo-box';
import { FieldError } from '@heroui/react/field-error';
import { Input } from '@heroui/react/input';
import { Label } from '@heroui/react/label';
import { ListBox } from '@heroui/react/list-box';
import type { ReactNode } from 'react';
import { type Control, type FieldPath, type FieldValues, useController } from 'react-hook-form';
import { fieldMessage } from './field-message';
import type { ZoneChoice } from './zone-list';

interface ZoneFieldProps<Values extends FieldValues> {
  control: Control<Values>;
  name: FieldPath<Values>;
  zones: ZoneChoice[];
  /** True if the text may be cleared for no zone, ''. */
  isOptional?: boolean;
  placeholder?: string;
  /** Below the input. */
  note?: ReactNode;
}

/** An IANA time zone, found by typing a city or an offset. */
export function ZoneField<Values extends FieldValues>(props: ZoneFieldProps<Values>) {
  const { control, name, zones, isOptional = false, placeholder = '', note } = props;
  const { field, fieldState } = useController({ control, name });
  return (
    <ComboBox
      fullWidth
      menuTrigger="input"
      validationBehavior="aria"
      defaultItems={zones}
      selectedKey={field.value || null}
      onSelectionChange={(zone) => {
        if (zone !== null) field.onChange(String(zone));
        else if (isOptional) field.onChange('');
      }}
      onBlur={field.onBlur}
      isInvalid={fieldState.invalid}
    >
      <Label>Time zone</Label>
      <ComboBox.InputGroup>
        <Input
          ref={field.ref}
          spellCheck={false}
          autoComplete="off"
          placeholder={placeholder}
          onFocus={({ target }) => target.select()}
        />
        <ComboBox.Trigger />
      </ComboBox.InputGroup>
      {note}
      <FieldError>{fieldMessage('Time zone', fieldState.error?.message)}</FieldError>
      <ComboBox.Popover>
        <ListBox<{ id: string; label: string }>>
          {({ id, label }) => (
            <ListBox.Item id={id} textValue={label}>
              {label}
              <ListBox.ItemIndicator />
            </ListBox.Item>
          )}
        </ListBox>
      </ComboBox.Popover>
    </ComboBox>
  );
}
