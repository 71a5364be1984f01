import { type ReactNode, useState } from 'react';

interface SwitchProps {
  /** The accessible name. */
  label: string;
  isSelected: boolean;
  onChange: (isSelected: boolean) => void;
  /** Content beside it. */
  children?: ReactNode;
}

/** HeroUI's small switch styles around a native checkbox. */
export function Switch({ label, isSelected, onChange, children }: SwitchProps) {
  const [isFocusVisible, setFocusVisible] = useState(false);
  return (
    <div data-slot="switch" data-selected={isSelected || undefined} className="switch switch--sm">
      <label data-slot="switch-content" data-focus-visible={isFocusVisible || undefined} className="switch__content">
        <input
          type="checkbox"
          // biome-ignore lint/a11y/useAriaPropsForRole: a checkbox says itself whether it is checked
          role="switch"
          aria-label={label}
          checked={isSelected}
          onChange={(event) => onChange(event.target.checked)}
          onFocus={(event) => setFocusVisible(event.target.matches(':focus-visible'))}
          onBlur={() => setFocusVisible(false)}
          className="sr-only"
        />
        <span data-slot="switch-control" className="switch__control">
          <span data-slot="switch-thumb" className="switch__thumb" />
        </span>
        {children}
      </label>
    </div>
  );
}
