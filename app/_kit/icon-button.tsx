'use client';

import type { ComponentProps } from 'react';
import { Button } from './button';

interface IconButtonProps extends Omit<ComponentProps<typeof Button>, 'isIconOnly' | 'aria-label'> {
  /** What it does; shown on hover. */
  label: string;
  /** Shown on hover instead, e.g. with the key that does the same, or shorter than a label that names its record. */
  hint?: string;
}

/** A button that is only a picture, with its meaning for screen readers and on hover. */
export function IconButton({ label, hint = label, variant = 'ghost', size = 'sm', ...props }: IconButtonProps) {
  return (
    // HeroUI's button takes no `title`; a parent without a box of its own shows it as well.
    <span title={hint} className="contents">
      <Button variant={variant} size={size} isIconOnly aria-label={label} {...props} />
    </span>
  );
}
