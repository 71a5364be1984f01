import { ChevronDown } from 'lucide-react';
import { useEffect, useEffectEvent, useRef } from 'react';
import { type FieldValues, useController } from 'react-hook-form';
import { fieldMessage } from './field-message';
import { type FieldProps, TextField } from './text-field';

interface FormSelectProps<Values extends FieldValues> extends FieldProps<Values> {
  options: readonly { value: string; label: string }[];
  onValueChange?: (value: string) => void;
}

/** One of a few values, as a native select. */
export function FormSelect<Values extends FieldValues>(props: FormSelectProps<Values>) {
  const { control, name, label, options, onValueChange, ...layout } = props;
  const { field, fieldState } = useController({ control, name });
  const value: string = field.value ?? '';
  const select = useRef<HTMLSelectElement | null>(null);
  // What was chosen before hydration is in the element, but not in the form.
  const takeOver = useEffectEvent(() => {
    const chosen = select.current?.value;
    if (chosen && chosen !== value) field.onChange(chosen);
  });
  useEffect(() => takeOver(), []);
  return (
    <TextField {...layout} label={label} error={fieldMessage(label, fieldState.error?.message)} isInvalid={fieldState.invalid}>
      {(controlProps) => (
        <div className="relative">
          <select
            {...controlProps}
            ref={(element) => {
              select.current = element;
              field.ref(element);
            }}
            name={field.name}
            value={value}
            onChange={(event) => {
              field.onChange(event.target.value);
              onValueChange?.(event.target.value);
            }}
            onBlur={field.onBlur}
            data-invalid={fieldState.invalid || undefined}
            className="input w-full appearance-none truncate pr-8"
          >
            {/* A value that is not offered, e.g. before the options are loaded; a browser would show the first option. */}
            {!options.some((option) => option.value === value) && (
              <option value={value} disabled hidden>
                Select an item
              </option>
            )}
            {options.map((option) => (
              <option key={option.value} value={option.value}>
                {option.label}
              </option>
            ))}
          </select>
          <ChevronDown
            aria-hidden
            className="pointer-events-none absolute inset-y-0 right-2.5 my-auto size-4 text-field-placeholder"
          />
        </div>
      )}
    </TextField>
  );
}
