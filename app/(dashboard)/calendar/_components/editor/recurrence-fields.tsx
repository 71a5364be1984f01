'use client';

import { useFormContext, useWatch } from 'react-hook-form';
import { FormTextField } from '@/app/_kit/form-fields';
import { FormSelect } from '@/app/_kit/form-select';
import { recurrenceWords } from '@/server/features/calendar/labels';
import { frequencies } from '@/server/platform/ical/series';
import { type EventValues, seriesOf } from './event-values';

const plainWords = {
  none: 'Does not repeat',
  daily: 'Every day',
  weekly: 'Every week',
  biweekly: 'Every two weeks',
  monthly: 'Every month',
  yearly: 'Every year',
};

/** How often an event is, in words for its very date, and until when. */
export function RecurrenceFields() {
  const { control } = useFormContext<EventValues>();
  const values = useWatch({ control }) as EventValues;
  const series = seriesOf(values);
  const options = frequencies.map((frequency) => ({
    value: frequency,
    label: series ? recurrenceWords({ ...series, frequency, until: null }) : plainWords[frequency],
  }));
  return (
    <>
      <FormSelect control={control} name="recurrence" label="Repeats" options={options} />
      {values.recurrence !== 'none' && (
        <FormTextField
          control={control}
          name="recurrenceEndDate"
          label="Last possible date"
          type="date"
          min={values.startDate}
          max="9998-12-30"
          description="Empty: it goes on for ever."
        />
      )}
    </>
  );
}
