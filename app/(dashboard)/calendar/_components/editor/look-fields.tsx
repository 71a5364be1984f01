'use client';

import { useQuery } from '@tanstack/react-query';
import { useController, useFormContext } from 'react-hook-form';
import { FormSelect } from '@/app/_kit/form-select';
import { useTRPC } from '@/app/_trpc/client';
import { type EventRecord, eventColors, eventStatuses } from '@/server/features/calendar/calendar.schema';
import { ColorDot } from './color-dot';
import type { EventValues } from './event-values';
import { colorNames, statusWords } from './event-words';

const statuses = eventStatuses.map((value) => ({ value, label: statusWords[value].label }));

/** In whose name, in which colour, and whether it takes place at all. */
export function LookFields({ hasStatus, agent }: { hasStatus: boolean; agent: EventRecord['agent'] }) {
  const { control } = useFormContext<EventValues>();
  const trpc = useTRPC();
  const { data } = useQuery(trpc.agents.list.queryOptions({}));
  const known = data?.agents ?? [];
  const all = agent && !known.some(({ id }) => id === agent.id) ? [agent, ...known] : known;
  const agents = [{ value: '', label: 'The business' }, ...all.map(({ id, name }) => ({ value: id, label: name }))];
  return (
    <>
      <FormSelect
        control={control}
        name="agentId"
        label="Agent"
        options={agents}
        description="Invitations are written in the name of the one chosen here."
      />
      <ColorField />
      {hasStatus && <FormSelect control={control} name="status" label="Status" options={statuses} />}
    </>
  );
}

function ColorField() {
  const { control } = useFormContext<EventValues>();
  const { field } = useController({ control, name: 'color' });
  return (
    <fieldset>
      <legend className="label mb-1.5">Colour</legend>
      <div className="flex flex-wrap gap-1.5 sm:gap-1">
        {eventColors.map((color) => (
          <label
            key={color}
            className="flex h-9 cursor-pointer items-center gap-1.5 rounded-md border border-border-secondary px-2.5 sm:px-2 has-checked:border-accent has-checked:bg-accent-soft has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-focus sm:h-8"
          >
            <input
              type="radio"
              name="color"
              value={color}
              checked={field.value === color}
              onChange={() => field.onChange(color)}
              className="sr-only"
            />
            <ColorDot color={color} />
            <span className="text-label">{colorNames[color]}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
