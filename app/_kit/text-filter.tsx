import { ChevronDown, X } from 'lucide-react';
import { type FormEvent, type HTMLInputTypeAttribute, useState } from 'react';
import { Button } from './button';
import { IconButton } from './icon-button';
import { Popover, PopoverContent } from './overlay/popover';
import { TextField } from './text-field';

interface TextFilterProps {
  /** The filter's name on its button: "Tag". */
  label: string;
  /** The label of the field: "Customers with this tag". */
  prompt: string;
  /** The current value, '' for none. */
  value: string;
  onChange: (value: string) => void;
  type?: Extract<HTMLInputTypeAttribute, 'text' | 'email'>;
  placeholder?: string;
  /** Suggested values. */
  suggestions?: readonly string[];
}

/** A filter for one exact value: a button that shows the current one and opens a small form. */
export function TextFilter(props: TextFilterProps) {
  const { label, value, onChange } = props;
  const [isOpen, setIsOpen] = useState(false);
  const apply = (next: string) => {
    setIsOpen(false);
    if (next.trim() !== value) onChange(next.trim());
  };
  return (
    <div className="inline-flex min-w-0">
      <Popover isOpen={isOpen} onOpenChange={setIsOpen}>
        <Button
          variant="secondary"
          className={`min-w-0 font-normal ${value ? 'rounded-r-none border-r-0 border-accent' : 'text-muted'}`}
        >
          {value ? (
            <span className="flex min-w-0 items-center gap-1">
              <span className="text-muted">{label}:</span>
              <span className="max-w-40 truncate" title={value}>
                {value}
              </span>
            </span>
          ) : (
            label
          )}
          {!value && <ChevronDown aria-hidden className="text-muted" />}
        </Button>
        <PopoverContent label={`Filter by ${label.toLowerCase()}`} className="w-72">
          <FilterForm {...props} onApply={apply} />
        </PopoverContent>
      </Popover>
      {value && (
        <IconButton
          size="md"
          variant="secondary"
          className="rounded-l-none border-accent"
          label={`Remove filter ${label.toLowerCase()}: ${value}`}
          onPress={() => onChange('')}
        >
          <X aria-hidden />
        </IconButton>
      )}
    </div>
  );
}

/** Mounted when the popover opens, so it starts with the current value. */
function FilterForm({
  prompt,
  value,
  type = 'text',
  placeholder = '',
  suggestions = [],
  onApply,
}: TextFilterProps & { onApply: (value: string) => void }) {
  const [text, setText] = useState(value);
  const typed = text.trim().toLowerCase();
  const offered = suggestions
    .filter((suggestion) => suggestion !== value && (typed === value.toLowerCase() || suggestion.toLowerCase().includes(typed)))
    .slice(0, 8);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onApply(text);
  };
  return (
    <form onSubmit={submit} noValidate>
      <TextField label={prompt}>
        {(controlProps) => (
          <div className="flex gap-2">
            <input
              {...controlProps}
              // biome-ignore lint/a11y/noAutofocus: it was opened to be typed into
              autoFocus
              type={type}
              value={text}
              onChange={(event) => setText(event.target.value)}
              placeholder={placeholder}
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              data-slot="input"
              className="input min-w-0 flex-1"
            />
            <Button type="submit" variant="primary">
              Apply
            </Button>
          </div>
        )}
      </TextField>
      {offered.length > 0 && (
        <ul aria-label="Suggestions" className="mt-3 flex flex-wrap gap-1.5">
          {offered.map((suggestion) => (
            <li key={suggestion} className="max-w-full">
              <button
                type="button"
                onClick={() => onApply(suggestion)}
                className="block min-h-6 max-w-full truncate rounded-md bg-default px-2 py-0.5 text-label hover:bg-default-hover"
              >
                {suggestion}
              </button>
            </li>
          ))}
        </ul>
      )}
    </form>
  );
}
