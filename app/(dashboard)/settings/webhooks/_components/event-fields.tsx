import { type Control, useController } from 'react-hook-form';
import { groupLabel, groupTypes, typeLabel } from '../../events/_components/event-labels';
import { type Checked, everything, isGroupChecked, isTypeChecked, withEverything, withGroup, withType } from './event-choice';
import type { EventTypeRecord, WebhookFields } from './webhook-types';

interface EventFieldsProps {
  control: Control<WebhookFields>;
  types: readonly EventTypeRecord[];
}

/** The events that a webhook gets: everything, all of a group, or single types. */
export function EventFields({ control, types }: EventFieldsProps) {
  const { field, fieldState } = useController({ control, name: 'events' });
  const chosen: readonly string[] = field.value;
  return (
    <fieldset className="min-w-0" aria-describedby={fieldState.error ? 'webhook-events-error' : undefined}>
      <legend className="label mb-1">Events</legend>
      <div className="max-h-72 overflow-y-auto rounded-md border border-border">
        <CheckLine
          label="Everything"
          note="Also types of events that are added later"
          state={{ isChecked: chosen.includes(everything), isImplied: false }}
          onChange={(isChosen) => field.onChange(withEverything(isChosen))}
        />
        {groupTypes(types).map((group) => (
          <div key={group.group} className="border-t border-separator">
            <CheckLine
              label={`All ${groupLabel(group.group)}`}
              state={isGroupChecked(chosen, group)}
              onChange={(isChosen) => field.onChange(withGroup(chosen, group, isChosen))}
            />
            {group.types.map(({ type, description }) => (
              <CheckLine
                key={type}
                label={typeLabel(type)}
                note={description}
                isNested
                state={isTypeChecked(chosen, group, type)}
                onChange={(isChosen) => field.onChange(withType(chosen, type, isChosen))}
              />
            ))}
          </div>
        ))}
      </div>
      {fieldState.error && (
        <p id="webhook-events-error" role="alert" className="mt-1 text-label text-danger-text">
          {fieldState.error.message}
        </p>
      )}
    </fieldset>
  );
}

interface CheckLineProps {
  label: string;
  note?: string;
  state: Checked;
  isNested?: boolean;
  onChange: (isChecked: boolean) => void;
}

function CheckLine({ label, note, state, isNested = false, onChange }: CheckLineProps) {
  return (
    <label
      className={`flex min-h-9 cursor-pointer items-start gap-2.5 py-1.5 pr-3 text-label hover:bg-surface-hover has-disabled:cursor-default has-disabled:hover:bg-transparent ${isNested ? 'pl-9' : 'pl-3'}`}
    >
      <input
        type="checkbox"
        checked={state.isChecked}
        disabled={state.isImplied}
        onChange={(event) => onChange(event.target.checked)}
        className="mt-0.5 size-4 shrink-0 accent-accent"
      />
      <span className="min-w-0">
        <span className={isNested ? '' : 'font-medium'}>{label}</span>
        {note && <span className="block text-xs text-muted">{note}</span>}
      </span>
    </label>
  );
}
