'use client';

import { type ReactNode, use } from 'react';
import { onDemand } from './on-demand';
import { OverlayTriggerContext } from './overlay-trigger';
import { popUpPlace } from './pop-up-place';
import type { PopoverPlacement } from './popover-parts';

const parts = onDemand(() => import('./popover-parts'));

/** Fetches what a `PopUp` is made of. */
export const loadPopUp = parts.load;

interface PopUpProps {
  /** What it is, for screen readers. */
  label: string;
  placement?: PopoverPlacement;
  /** Its width. */
  className?: string;
  children: ReactNode;
}

/** What a `Popover` opens beside its button: a form, a small month, an explanation. */
export function PopUp({ label, placement = 'bottom start', className = '', children }: PopUpProps) {
  const trigger = use(OverlayTriggerContext);
  const loaded = parts.use(trigger?.isOpen ?? false);
  if (!trigger || !loaded) return null;
  const { Popover } = loaded;
  return (
    <Popover.Content
      trigger="DialogTrigger"
      triggerRef={trigger.triggerRef}
      isOpen={trigger.isOpen}
      onOpenChange={trigger.setOpen}
      placement={placement}
      aria-labelledby={trigger.triggerId}
      className={`popover ${className}`}
      {...popUpPlace()}
    >
      <Popover.Dialog id={trigger.overlayId} aria-label={label} className="popover__dialog p-3">
        {/* The buttons in here open nothing. */}
        <OverlayTriggerContext value={null}>{children}</OverlayTriggerContext>
      </Popover.Dialog>
    </Popover.Content>
  );
}
