'use client';

import { ChevronDown } from 'lucide-react';
import { Button } from './button';
import { Dropdown } from './overlay/dropdown';

interface ChoiceFilterProps {
  /** The filter's name on its button: "Status". */
  label: string;
  /** The label of no choice: "Any status". */
  anyLabel: string;
  choices: readonly { value: string; label: string }[];
  /** The current value, '' for none. */
  value: string;
  onChange: (value: string) => void;
}

const any = 'any';

/** A filter for one of a few values: a button that shows the current one and opens a menu. */
export function ChoiceFilter({ label, anyLabel, choices, value, onChange }: ChoiceFilterProps) {
  const chosen = value === '' ? undefined : (choices.find((choice) => choice.value === value)?.label ?? 'Unknown');
  return (
    <Dropdown>
      <Button
        variant="secondary"
        size="sm"
        aria-label={chosen ? `${label}: ${chosen}` : label}
        className={`min-w-0 font-normal ${chosen ? 'border-accent' : 'text-muted'}`}
      >
        <span className="max-w-36 truncate" title={chosen}>
          {chosen ?? label}
        </span>
        <ChevronDown aria-hidden className="text-muted" />
      </Button>
      <Dropdown.Popover placement="bottom start" className="max-h-80 w-56">
        <Dropdown.Menu
          aria-label={label}
          selectionMode="single"
          disallowEmptySelection
          selectedKeys={[value || any]}
          onSelectionChange={(keys) => {
            const [key] = [...keys];
            onChange(key === undefined || key === any ? '' : String(key));
          }}
        >
          {[{ value: any, label: anyLabel }, ...choices].map((choice) => (
            <Dropdown.Item key={choice.value} id={choice.value} textValue={choice.label}>
              <Dropdown.ItemIndicator />
              <span className="min-w-0 truncate" title={choice.label}>
                {choice.label}
              </span>
            </Dropdown.Item>
          ))}
        </Dropdown.Menu>
      </Dropdown.Popover>
    </Dropdown>
  );
}
