import { type ReactNode, useState } from 'react';
import type { Permission } from '@/server/platform/auth/scopes.schema';
import { deny, usePermission } from './use-permission';

interface SwitchProps {
  /** The accessible name. */
  label: string;
  isSelected: boolean;
  onChange: (isSelected: boolean) => void;
  /** Content beside it. */
  children?: ReactNode;
  /** What the member's role has to include; see `Pressable`. */
  needs?: Permission;
}

/** HeroUI's small switch styles around a native checkbox. */
export function Switch({ label, isSelected, onChange, children, needs }: SwitchProps) {
  const [isFocusVisible, setFocusVisible] = useState(false);
  const { isAllowed, reason } = usePermission(needs);
  return (
    <div
      data-slot="switch"
      data-selected={isSelected || undefined}
      title={reason}
      className={`switch switch--sm ${isAllowed ? '' : 'opacity-50'}`}
    >
      <label data-slot="switch-content" data-focus-visible={isFocusVisible || undefined} className="switch__content">
        <input
          type="checkbox"
          // biome-ignore lint/a11y/useAriaPropsForRole: a checkbox says itself whether it is checked
          role="switch"
          aria-label={label}
          checked={isSelected}
          aria-disabled={!isAllowed || undefined}
          onChange={(event) => (isAllowed ? onChange(event.target.checked) : deny(reason))}
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
