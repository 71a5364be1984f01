'use client';

import type { ReactNode } from 'react';
import { OverlayTriggerContext, useOverlayTrigger } from './overlay-trigger';
import { loadPopUp } from './pop-up';

interface PopoverProps {
  isOpen?: boolean;
  onOpenChange?: (isOpen: boolean) => void;
  /** The button that opens it, and a `PopUp`. */
  children: ReactNode;
}

/** A button with something small that opens beside it. */
export function Popover({ children, ...options }: PopoverProps) {
  const trigger = useOverlayTrigger({ kind: 'dialog', load: loadPopUp, ...options });
  return <OverlayTriggerContext value={trigger}>{children}</OverlayTriggerContext>;
}
