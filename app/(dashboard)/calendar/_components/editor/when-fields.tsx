import { useEffect, useMemo, useRef } from 'react';
import { useController, useFormContext, useWatch } from 'react-hook-form';
import { FormTextField } from '@/app/_kit/form-fields';
import { FormSelect } from '@/app/_kit/form-select';
import { Switch } from '@/app/_kit/switch';
import { ZoneField } from '@/app/_kit/zone-field';
import { zoneChoices } from '@/app/_kit/zone-list';
import { recurrenceLabel } from '@/server/features/calendar/labels';
import { frequencies } from '@/server/platform/ical/series';
import { viewerZone } from '../zone-clock';
import { type EventValues, lastWholeDate, movedEnd, seriesOf } from './event-values';
import { parseWall } from './wall-clock';

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
      <EventZoneField />
    </fieldset>
  );
}

/** The zone of the entered dates and times. */
function EventZoneField() {
  const { control, getValues } = useFormContext<EventValues>();
  const [timezone, startDate] = useWatch({ control, name: ['timezone', 'startDate'] });
  const zones = useMemo(() => {
    const day = Date.parse(startDate);
    return zoneChoices(Number.isNaN(day) ? Date.now() : day, viewerZone(), timezone);
  }, [startDate, timezone]);
  const isElsewhere = timezone !== viewerZone();
  const isTimed = !useWatch({ control, name: 'allDay' });

  const isForeign = isElsewhere && isTimed && seriesOf(getValues()) !== null;
  const note = isForeign && (
    <p className="mt-1 text-label text-muted">Different from your time zone ({viewerZone().replaceAll('_', ' ')}).</p>
  );
  return <ZoneField control={control} name="timezone" zones={zones} note={note} />;
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
