import type { ReactNode } from 'react';

interface OptionListProps {
  /** The field that it belongs to is a combobox with `aria-controls={id}` and `aria-activedescendant={optionId(id, active)}`. */
  id: string;
  label: string;
  isOpen: boolean;
  /** The highlighted option; -1: none. */
  active: number;
  options: readonly { key: string; content: ReactNode }[];
  onChoose: (index: number) => void;
  /** Its position below the field. */
  className: string;
}

export const optionId = (listId: string, index: number): string => `${listId}-${index}`;

/** The option above (-1) or below (1) the active one of a list; past either end none (-1), then the other end. */
export const nextOption = (active: number, step: number, count: number): number =>
  ((active + 1 + step + count + 1) % (count + 1)) - 1;

/** What a field suggests, below it. The field keeps the focus and handles the keys. */
export function OptionList({ id, label, isOpen, active, options, onChoose, className }: OptionListProps) {
  return (
    <div
      id={id}
      role="listbox"
      aria-label={label}
      hidden={!isOpen}
      className={`absolute inset-x-0 z-10 mt-1 max-h-64 overflow-y-auto rounded-md bg-overlay p-1 shadow-overlay ${className}`}
    >
      {options.map(({ key, content }, index) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: keys are the field's, which says which option they are at.
        <div
          key={key}
          id={optionId(id, index)}
          role="option"
          tabIndex={-1}
          aria-selected={index === active}
          // Keeps the focus in the field.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onChoose(index)}
          className={`cursor-pointer truncate rounded-sm px-2 py-1.5 hover:bg-default max-sm:py-2.5 ${index === active ? 'bg-default' : ''}`}
        >
          {content}
        </div>
      ))}
    </div>
  );
}
