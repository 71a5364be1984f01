'use client';

import { Check } from 'lucide-react';
import { useId } from 'react';
import { useController, useFormContext } from 'react-hook-form';
import { fieldMessage } from '@/app/_kit/field-message';
import { escalationChannels } from '@/server/features/agents/escalation.schema';
import { type RoutesValues, withChannel } from './route-values';
import { channelLabels } from './route-words';

/** The ways in which a level reaches somebody, as chips that are on or off. */
export function RouteChannels({ index }: { index: number }) {
  const { control } = useFormContext<RoutesValues>();
  const { field, fieldState } = useController({ control, name: `routes.${index}.channels` });
  const errorId = useId();
  const message = fieldMessage('Channels', fieldState.error?.message);
  return (
    <fieldset className="min-w-0" {...(message ? { 'aria-describedby': errorId } : {})}>
      <legend className="label mb-1">Channels</legend>
      <div className="flex flex-wrap gap-2">
        {escalationChannels.map((channel, position) => (
          <label
            key={channel}
            className="relative flex h-8 cursor-pointer items-center gap-1.5 rounded-md border border-border-secondary px-2.5 text-label text-muted transition-colors duration-150 hover:bg-surface-hover has-checked:border-accent has-checked:bg-accent-soft has-checked:font-medium has-checked:text-accent-text has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-focus max-sm:h-10"
          >
            <input
              ref={position === 0 ? field.ref : undefined}
              type="checkbox"
              name={`${field.name}.${channel}`}
              checked={field.value.includes(channel)}
              onChange={(event) => field.onChange(withChannel(field.value, channel, event.target.checked))}
              onBlur={field.onBlur}
              className="peer absolute inset-0 cursor-pointer opacity-0"
            />
            <Check aria-hidden className="hidden size-3.5 peer-checked:block" />
            {channelLabels[channel]}
          </label>
        ))}
      </div>
      {message && (
        <p id={errorId} className="mt-1 text-label text-danger-text">
          {message}
        </p>
      )}
    </fieldset>
  );
}
