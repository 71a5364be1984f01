import { ChevronDown } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { Button } from '@/app/_kit/button';
import { Popover, PopoverContent } from '@/app/_kit/overlay/popover';
import { TextField } from '@/app/_kit/text-field';

interface Dates {
  /** `2026-11-21`; null for an open end. Both days are included. */
  from: string | null;
  to: string | null;
}

interface DateFilterProps extends Dates {
  onChange: (dates: Dates) => void;
}

/** The button's label for a date range; '' for none. */
function spanName({ from, to }: Dates): string {
  if (from && to) return from === to ? from : `${from} – ${to}`;
  if (from) return `Since ${from}`;
  return to ? `Until ${to}` : '';
}

/** A filter for a date range: a button that shows the current range and opens a small form. */
export function DateFilter({ from, to, onChange }: DateFilterProps) {
  const [isOpen, setIsOpen] = useState(false);
  const name = spanName({ from, to });
  const apply = (dates: Dates) => {
    setIsOpen(false);
    onChange(dates);
  };
  return (
    <Popover isOpen={isOpen} onOpenChange={setIsOpen}>
      <Button
        variant="secondary"
        size="sm"
        aria-label={name ? `Dates: ${name}` : 'Dates'}
        className={`min-w-0 font-normal tabular-nums ${name ? 'border-accent' : 'text-muted'}`}
      >
        {name || 'Dates'}
        <ChevronDown aria-hidden className="text-muted" />
      </Button>
      <PopoverContent label="Filter by dates" className="w-64">
        <DatesForm from={from} to={to} onApply={apply} />
      </PopoverContent>
    </Popover>
  );
}

/** Mounted when the popover opens, so it starts with the current dates. */
function DatesForm({ onApply, ...dates }: Dates & { onApply: (dates: Dates) => void }) {
  const [from, setFrom] = useState(dates.from ?? '');
  const [to, setTo] = useState(dates.to ?? '');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    // A reversed range has a clear meaning, so it is accepted.
    const [first, last] = from && to && to < from ? [to, from] : [from, to];
    onApply({ from: first || null, to: last || null });
  };
  return (
    <form onSubmit={submit} noValidate className="flex flex-col gap-3">
      <DateField label="From" value={from} onChange={setFrom} autoFocus />
      <DateField label="To (inclusive)" value={to} onChange={setTo} />
      <div className="flex justify-end gap-2">
        {(dates.from || dates.to) && (
          <Button variant="ghost" onPress={() => onApply({ from: null, to: null })}>
            Any time
          </Button>
        )}
        <Button type="submit" variant="primary">
          Apply
        </Button>
      </div>
    </form>
  );
}

interface DateFieldProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
  autoFocus?: boolean;
}

function DateField({ label, value, onChange, autoFocus = false }: DateFieldProps) {
  return (
    <TextField label={label}>
      {(controlProps) => (
        <input
          {...controlProps}
          // biome-ignore lint/a11y/noAutofocus: it was opened to be typed into
          autoFocus={autoFocus}
          type="date"
          value={value}
          onChange={(event) => onChange(event.target.value)}
          data-slot="input"
          className="input"
        />
      )}
    </TextField>
  );
}
