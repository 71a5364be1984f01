import { ChevronDown } from 'lucide-react';
import { Button } from './button';
import { ChoiceMenu } from './choice-menu';

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
    <ChoiceMenu
      label={label}
      choices={[{ value: any, label: anyLabel }, ...choices]}
      value={value || any}
      onChange={(chosen) => onChange(chosen === any ? '' : chosen)}
      className="max-h-80 w-56"
    >
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
    </ChoiceMenu>
  );
}
