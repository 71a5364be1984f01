import { Plus, X } from 'lucide-react';
import { useRef, useState } from 'react';
import { useController, useFormContext, useFormState } from 'react-hook-form';
import { Button } from '@/app/_kit/button';
import { fieldMessage } from '@/app/_kit/field-message';
import { IconButton } from '@/app/_kit/icon-button';
import { eventLimits } from '@/server/features/calendar/calendar.limits';
import { reminderUnits } from '@/server/features/calendar/calendar.schema';
import { compactField } from './compact-field';
import { errorAt } from './error-at';
import type { EventValues, ReminderValues } from './event-values';

const presets: (ReminderValues & { label: string })[] = [
  { value: '10', unit: 'minutes', label: '10 minutes' },
  { value: '1', unit: 'hours', label: '1 hour' },
  { value: '1', unit: 'days', label: '1 day' },
];

/** The email reminders of an event. */
export function ReminderFields() {
  const { control } = useFormContext<EventValues>();
  const { field } = useController({ control, name: 'reminders' });
  const { errors } = useFormState({ control, name: 'reminders' });
  const fieldset = useRef<HTMLFieldSetElement>(null);
  const [isAdded, setIsAdded] = useState(false);
  const reminders = field.value;
  const change = (index: number, changes: Partial<ReminderValues>) =>
    field.onChange(reminders.map((reminder, at) => (at === index ? { ...reminder, ...changes } : reminder)));
  const add = (reminder: ReminderValues) => {
    field.onChange([...reminders, reminder]);
    setIsAdded(true);
  };
  const removeAt = (index: number) => {
    field.onChange(reminders.filter((_, at) => at !== index));
    // The focused button is removed with its row.
    fieldset.current?.focus();
  };
  const isFull = reminders.length >= eventLimits.reminders;
  const isThere = ({ value, unit }: ReminderValues) =>
    reminders.some((reminder) => reminder.value === value && reminder.unit === unit);

  return (
    <fieldset ref={fieldset} tabIndex={-1} className="flex min-w-0 flex-col gap-2 outline-none">
      <legend className="label mb-1">Reminders by email</legend>
      {reminders.length > 0 && (
        <ul className="flex flex-col gap-2">
          {reminders.map((reminder, index) => {
            const name = `Reminder ${index + 1}`;
            const reason = errorAt(errors, `reminders.${index}.value`, `reminders.${index}`);
            return (
              // biome-ignore lint/suspicious/noArrayIndexKey: a row is its place in the list; two may say the same.
              <li key={index}>
                <div className="flex items-center gap-2">
                  <input
                    // biome-ignore lint/a11y/noAutofocus: the row appears because its button was pressed.
                    autoFocus={isAdded && index === reminders.length - 1}
                    aria-label={`${name}, how many`}
                    aria-invalid={reason ? true : undefined}
                    inputMode="numeric"
                    value={reminder.value}
                    onChange={({ target }) => change(index, { value: target.value })}
                    onBlur={field.onBlur}
                    className={`${compactField} w-20`}
                  />
                  <select
                    aria-label={`${name}, unit`}
                    value={reminder.unit}
                    onChange={({ target }) => change(index, { unit: target.value as ReminderValues['unit'] })}
                    className={`${compactField} w-28`}
                  >
                    {reminderUnits.map((unit) => (
                      <option key={unit} value={unit}>
                        {reminder.value.trim() === '1' ? unit.slice(0, -1) : unit}
                      </option>
                    ))}
                  </select>
                  <span className="text-muted">before</span>
                  <IconButton label={`Remove reminder ${index + 1}`} className="ml-auto" onPress={() => removeAt(index)}>
                    <X aria-hidden className="text-muted" />
                  </IconButton>
                </div>
                {reason && <p className="mt-1 text-label text-danger-text">{fieldMessage(name, reason)}</p>}
              </li>
            );
          })}
        </ul>
      )}
      {!isFull && (
        <div className="flex flex-wrap gap-1.5">
          {presets.map(
            ({ label, ...preset }) =>
              !isThere(preset) && (
                <Button
                  key={label}
                  variant="secondary"
                  size="sm"
                  aria-label={`Add a reminder ${label} before`}
                  onPress={() => add(preset)}
                >
                  <Plus aria-hidden />
                  {label}
                </Button>
              ),
          )}
          <Button
            variant="ghost"
            size="sm"
            aria-label="Add custom reminder"
            onPress={() => add({ value: '30', unit: 'minutes' })}
          >
            <Plus aria-hidden />
            Other
          </Button>
        </div>
      )}
    </fieldset>
  );
}
