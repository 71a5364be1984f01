import { X } from 'lucide-react';
import type { ReactNode } from 'react';

interface ChipProps {
  /** Its text, with a `title` if it can be truncated. */
  children: ReactNode;
  /** "Remove tag vip". */
  removeLabel: string;
  onRemove: () => void;
  isWrong?: boolean;
}

/** One of several values in a field, with a button to remove it; an item of a list. */
export function Chip({ children, removeLabel, onRemove, isWrong = false }: ChipProps) {
  return (
    <li
      className={`inline-flex max-w-full items-center rounded-md text-label ${isWrong ? 'bg-danger-soft text-danger-text' : 'bg-default'}`}
    >
      {children}
      <button
        type="button"
        aria-label={removeLabel}
        title={removeLabel}
        onClick={onRemove}
        className="flex size-6 shrink-0 items-center justify-center rounded-md text-muted hover:bg-default-hover hover:text-foreground max-sm:size-8"
      >
        <X aria-hidden className="size-3.5" />
      </button>
    </li>
  );
}
