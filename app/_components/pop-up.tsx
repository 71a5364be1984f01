'use client';

import { Popover } from '@heroui/react/popover';
import type { ComponentProps, ReactNode } from 'react';

/**
 * The page's landmark, as the place of what opens over it; by itself React Aria puts that below the body, where those who walk by
 * landmarks do not find it.
 */
export function popUpPlace(): { UNSTABLE_portalContainer?: Element } {
  const main = typeof document === 'undefined' ? null : document.getElementById('content');
  return main ? { UNSTABLE_portalContainer: main } : {};
}

interface PopUpProps {
  /** What it is, for screen readers. */
  label: string;
  placement?: ComponentProps<typeof Popover.Content>['placement'];
  /** Its width. */
  className?: string;
  children: ReactNode;
}

/** What a `Popover` opens beside its button: a form, a small month, an explanation. */
export function PopUp({ label, placement = 'bottom start', className = '', children }: PopUpProps) {
  return (
    <Popover.Content placement={placement} className={className} {...popUpPlace()}>
      <Popover.Dialog aria-label={label} className="p-3">
        {children}
      </Popover.Dialog>
    </Popover.Content>
  );
}
