'use client';

import { Switch } from '@heroui/react/switch';
import { useEffect, useRef } from 'react';
import { useController, useFormContext, useWatch } from 'react-hook-form';
import { FormTextField } from '@/app/_kit/form-fields';
import { type EventValues, lastWholeDate, movedEnd } from './event-values';
import { parseWall } from './wall-clock';
import { ZoneField } from './zone-field';

/** When an event begins and ends, and by which clock. A change of the beginning takes the end along. */
export function WhenFields() {
  const { control, getValues, setValue } = useFormContext<EventValues>();
  const { field: allDay } = useController({ control, name: 'allDay' });
  const [startDate, startTime] = useWatch({ control, name: ['startDate', 'startTime'] });
  /** The last beginning that was one: while a date is typed, there is none. */
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
      <Switch isSelected={isDates} onChange={switchAllDay} size="sm">
        <Switch.Content>
          <Switch.Control>
            <Switch.Thumb />
          </Switch.Control>
          <span>All day</span>
        </Switch.Content>
      </Switch>
      <div className={`grid gap-3 ${isDates ? 'grid-cols-2' : 'grid-cols-[minmax(0,3fr)_minmax(0,2fr)]'}`}>
        <FormTextField
          control={control}
          name="startDate"
          label={isDates ? 'First day' : 'Starts on'}
          type="date"
          min="1000-01-01"
          max="9998-12-30"
          onValueChange={follow}
        />
        {!isDates && <FormTextField control={control} name="startTime" label="Start time" type="time" onValueChange={follow} />}
        <FormTextField
          control={control}
          name="endDate"
          label={isDates ? 'Last day' : 'Ends on'}
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
