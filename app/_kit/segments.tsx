import { type ReactNode, useId } from 'react';

interface Segment<Value extends string> {
  /** Null for no filter: "All". */
  value: Value | null;
  label: string;
  /** The number of rows, after the label. */
  count?: ReactNode;
  /** Shown on hover, e.g. with the shortcut. */
  title?: string;
  /** The shortcut, for screen readers. */
  keyShortcut?: string;
}

interface SegmentsProps<Value extends string> {
  /** The accessible name: "Status". */
  label: string;
  segments: readonly Segment<Value>[];
  value: Value | null;
  onChange: (value: Value | null) => void;
  /** `sm` beside other small controls, such as in the head of a card. */
  size?: 'sm' | 'md';
}

/** A choice of one of a few visible values, such as a filter or a view. Arrow keys move between them. */
export function Segments<Value extends string>({ label, segments, value, onChange, size = 'md' }: SegmentsProps<Value>) {
  const name = useId();
  return (
    <fieldset className="flex max-w-full overflow-x-auto rounded-md bg-default p-0.5 [scrollbar-width:none]">
      <legend className="sr-only">{label}</legend>
      {segments.map((segment) => (
        <label
          key={segment.label}
          title={segment.title}
          className={`relative flex shrink-0 cursor-pointer items-center gap-1 rounded-sm px-2.5 text-label text-muted hover:not-has-checked:text-foreground has-checked:bg-segment has-checked:font-medium has-checked:text-foreground has-focus-visible:outline-2 has-focus-visible:-outline-offset-1 has-focus-visible:outline-focus max-sm:h-9 max-sm:px-2 ${size === 'sm' ? 'h-7' : 'h-8'}`}
        >
          <input
            type="radio"
            name={name}
            value={segment.value ?? ''}
            checked={value === segment.value}
            onChange={() => onChange(segment.value)}
            aria-keyshortcuts={segment.keyShortcut}
            className="sr-only"
          />
          {segment.label} {segment.count != null && <span className="text-xs font-normal">{segment.count}</span>}
        </label>
      ))}
    </fieldset>
  );
}
