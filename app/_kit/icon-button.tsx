import type { ComponentProps } from 'react';
import { Button } from './button';

interface IconButtonProps extends Omit<ComponentProps<typeof Button>, 'isIconOnly' | 'aria-label'> {
  /** The accessible name, also shown on hover. */
  label: string;
  /** Shown on hover instead, e.g. with the shortcut, or shorter than a label that names its record. */
  hint?: string;
}

/** A button with only an icon; its label is for screen readers and shown on hover. */
export function IconButton({ label, hint = label, variant = 'ghost', size = 'sm', ...props }: IconButtonProps) {
  return (
    // HeroUI's button takes no `title`; a parent with `display: contents` shows it as well.
    <span title={hint} className="contents">
      <Button variant={variant} size={size} isIconOnly aria-label={label} {...props} />
    </span>
  );
}
