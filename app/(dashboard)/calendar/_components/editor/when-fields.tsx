import { ComboBox } from '@heroui/react/combo-box';
import { FieldError } from '@heroui/react/field-error';
import { Input } from '@heroui/react/input';
import { Label } from '@heroui/react/label';
import { ListBox } from '@heroui/react/list-box';
import { useEffect, useMemo, useRef } from 'react';
import { useController, useFormContext, useWatch } from 'react-hook-form';
import { fieldMessage } from '@/app/_kit/field-message';
import { FormTextField } from '@/app/_kit/form-fields';
import { FormSelect } from '@/app/_kit/form-select';
import { Switch } from '@/app/_kit/switch';
import { recurrenceLabel } from '@/server/features/calendar/labels';
import { frequencies } from '@/server/platform/ical/series';
import { viewerZone } from '../zone-clock';
import { type EventValues, lastWholeDate, movedEnd, seriesOf } from './event-values';
import { parseWall } from './wall-clock';
import { zoneChoices } from './zone-list';

/** Beginning and end of an event, with its zone. Changing the beginning moves the end. */
export function WhenFields() {
  const { control, getValues, setValue } = useFormContext<EventValues>();
  const { field: allDay } = useController({ control, name: 'allDay' });
  const [startDate, startTime] = useWatch({ control, name: ['startDate', 'startTime'] });
  /** The last valid beginning, since there is none while a date is being typed. */
  const began = useRef({ startDate, startTime });
  useEffect(() => {
    if (parseWall(startDate, startTime) !== null) began.current = { startDate, startTime };
  }, [startDate, startTime]);

  const follow = () => {
    const values = getValues();
    const moved = movedEnd({ ...values, ...began.current }, values);
    if (moved === null) return;
    setValue('endDate', moved.endDate, { shouldDirty: true });
    setValue('endTime', moved.endTime, { shouldDirty: true });
  };
  const switchAllDay = (isAllDay: boolean) => {
    if (isAllDay) setValue('endDate', lastWholeDate(getValues()), { shouldDirty: true });
    allDay.onChange(isAllDay);
  };
  const isDates = allDay.value;

  return (
    <fieldset className="flex min-w-0 flex-col gap-3">
      <legend className="sr-only">When</legend>
      <Switch label="All day" isSelected={isDates} onChange={switchAllDay}>
        <span>All day</span>
      </Switch>
      <div className={`grid gap-3 ${isDates ? 'grid-cols-2' : 'grid-cols-[minmax(0,3fr)_minmax(0,2fr)]'}`}>
        <FormTextField
          control={control}
          name="startDate"
          label={isDates ? 'Start date' : 'Start date'}
          type="date"
          min="1000-01-01"
          max="9998-12-30"
          onValueChange={follow}
        />
        {!isDates && <FormTextField control={control} name="startTime" label="Start time" type="time" onValueChange={follow} />}
        <FormTextField
          control={control}
          name="endDate"
          label={isDates ? 'End date' : 'End date'}
          type="date"
          min="1000-01-01"
          max="9998-12-30"
        />
        {!isDates && <FormTextField control={control} name="endTime" label="End time" type="time" />}
      </div>
      <ZoneField />
    </fieldset>
  );
}

/** The zone of the entered dates and times. */
function ZoneField() {
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
        <p className="mt-1 text-label text-muted">Different from your time zone ({viewerZone().replaceAll('_', ' ')}).</p>
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

const plainLabels = {
  none: 'Does not repeat',
  daily: 'Every day',
  weekly: 'Every week',
  biweekly: 'Every two weeks',
  monthly: 'Every month',
  yearly: 'Every year',
};

/** How often and until when an event repeats, described for its date. */
export function RecurrenceFields() {
  const { control } = useFormContext<EventValues>();
  const values = useWatch({ control }) as EventValues;
  const series = seriesOf(values);
  const options = frequencies.map((frequency) => ({
    value: frequency,
    label: series ? recurrenceLabel({ ...series, frequency, until: null }) : plainLabels[frequency],
  }));
  return (
    <>
      <FormSelect control={control} name="recurrence" label="Repeats" options={options} />
      {values.recurrence !== 'none' && (
        <FormTextField
          control={control}
          name="recurrenceEndDate"
          label="Repeat until"
          type="date"
          min={values.startDate}
          max="9998-12-30"
          description="Leave empty to repeat forever."
        />
      )}
    </>
  );
}
