'use client';

import { ComboBox } from '@heroui/react/combo-box';
import { FieldError } from '@heroui/react/field-error';
import { Input } from '@heroui/react/input';
import { Label } from '@heroui/react/label';
import { ListBox } from '@heroui/react/list-box';
import { useMemo } from 'react';
import { useController, useFormContext, useWatch } from 'react-hook-form';
import { fieldMessage } from '@/app/_kit/field-message';
import { viewerZone } from '../zone-clock';
import { type EventValues, seriesOf } from './event-values';
import { zoneChoices } from './zone-list';

/** The zone whose clocks dates and times are meant by. */
export function ZoneField() {
  const { control, getValues } = useFormContext<EventValues>();
  const { field, fieldState } = useController({ control, name: 'timezone' });
  const startDate = useWatch({ control, name: 'startDate' });
  const zones = useMemo(() => {
    const day = Date.parse(startDate);
    return zoneChoices(Number.isNaN(day) ? Date.now() : day, viewerZone(), field.value);
  }, [startDate, field.value]);
  const isElsewhere = field.value !== viewerZone();
  const isTimed = !useWatch({ control, name: 'allDay' });

  return (
    <ComboBox
      fullWidth
      menuTrigger="input"
      validationBehavior="aria"
      defaultItems={zones}
      selectedKey={field.value}
      onSelectionChange={(zone) => {
        if (zone !== null) field.onChange(String(zone));
      }}
      onBlur={field.onBlur}
      isInvalid={fieldState.invalid}
    >
      <Label>Time zone</Label>
      <ComboBox.InputGroup>
        <Input ref={field.ref} spellCheck={false} autoComplete="off" onFocus={({ target }) => target.select()} />
        <ComboBox.Trigger />
      </ComboBox.InputGroup>
      {isElsewhere && isTimed && seriesOf(getValues()) !== null && (
        <p className="mt-1 text-label text-muted">Not the zone of your own clock ({viewerZone().replaceAll('_', ' ')}).</p>
      )}
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
