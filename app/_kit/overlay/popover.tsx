import type { Popover as HeroPopover } from '@heroui/react/popover';
import { type ComponentProps, type ReactNode, use } from 'react';
import { onDemand } from './load-on-demand';
import { OverlayTriggerContext, useOverlayTrigger } from './trigger';

const hero = onDemand(() => import('@heroui/react/popover').then(({ Popover }) => ({ Popover })));

interface PopoverProps {
  isOpen?: boolean;
  onOpenChange?: (isOpen: boolean) => void;
  /** The button that opens it, and a `PopoverContent`. */
  children: ReactNode;
}

/** A button with a popover. HeroUI's popover is loaded when the first is about to open. */
export function Popover({ children, ...options }: PopoverProps) {
  const trigger = useOverlayTrigger({ kind: 'dialog', load: hero.load, ...options });
  return <OverlayTriggerContext value={trigger}>{children}</OverlayTriggerContext>;
}

interface PopoverContentProps {
  /** The accessible name. */
  label: string;
  placement?: ComponentProps<typeof HeroPopover.Content>['placement'];
  className?: string;
  children: ReactNode;
}

/** The content of a `Popover`: a form, a small month, an explanation. */
export function PopoverContent({ label, placement = 'bottom start', className = '', children }: PopoverContentProps) {
  const trigger = use(OverlayTriggerContext);
  const loaded = hero.use(trigger?.isOpen ?? false);
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
      {...popoverContainer()}
    >
      <Popover.Dialog id={trigger.overlayId} aria-label={label} className="popover__dialog p-3">
        {/* Buttons in the popover are not its triggers. */}
        <OverlayTriggerContext value={null}>{children}</OverlayTriggerContext>
      </Popover.Dialog>
    </Popover.Content>
  );
}

/** Renders a popover inside the page's landmark. React Aria's default is the end of the body, outside every landmark. */
export function popoverContainer(): { UNSTABLE_portalContainer?: Element } {
  const main = typeof document === 'undefined' ? null : document.getElementById('content');
  return main ? { UNSTABLE_portalContainer: main } : {};
}
