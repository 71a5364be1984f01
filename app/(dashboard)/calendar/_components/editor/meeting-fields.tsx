'use client';

import { useFormContext, useWatch } from 'react-hook-form';
import { FormTextField } from '@/app/_kit/form-fields';
import { FormSelect } from '@/app/_kit/form-select';
import { meetingProviders } from '@/server/features/calendar/calendar.schema';
import type { EventValues } from './event-values';
import { providerNames } from './event-words';

const options = (['none', ...meetingProviders] as const).map((value) => ({ value, label: providerNames[value] }));

/** Where an event takes place online. */
export function MeetingFields() {
  const { control } = useFormContext<EventValues>();
  const provider = useWatch({ control, name: 'meeting.provider' });
  return (
    <>
      <FormSelect control={control} name="meeting.provider" label="Online meeting" options={options} />
      {provider !== 'none' && (
        <div className="grid gap-3 sm:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
          <FormTextField
            control={control}
            name="meeting.url"
            label="Meeting link"
            type="url"
            inputMode="url"
            placeholder="https://"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            isRequired
          />
          <FormTextField
            control={control}
            name="meeting.password"
            label="Meeting password"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
          />
        </div>
      )}
    </>
  );
}
