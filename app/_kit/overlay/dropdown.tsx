import { type ComponentProps, createContext, type ReactNode, use } from 'react';
import { Pressable, type PressableProps } from '@/app/_kit/button';
import type * as DropdownParts from './dropdown-parts';
import { onDemand } from './load-on-demand';
import { OverlayTriggerContext, useOverlayTrigger } from './trigger';

/** HeroUI's dropdown with the same parts and styles. HeroUI's code is loaded when the button is hovered, focused or pressed. */

const parts = onDemand(() => import('./dropdown-parts'));

type Hero = typeof DropdownParts.Dropdown;

/** The first button inside opens the menu. */
function Root({ children }: { children: ReactNode }) {
  const trigger = useOverlayTrigger({ kind: 'menu', load: parts.load });
  return <OverlayTriggerContext value={trigger}>{children}</OverlayTriggerContext>;
}

/** An unstyled button. */
function Trigger({ className = '', ...props }: PressableProps) {
  return <Pressable data-slot="dropdown-trigger" {...props} className={`dropdown__trigger ${className}`} />;
}

interface PopoverProps {
  placement?: ComponentProps<Hero['Popover']>['placement'];
  className?: string;
  children: ReactNode;
}

const PartsContext = createContext<typeof DropdownParts | null>(null);

/** The parts. The content of `Dropdown.Popover` renders only after they are loaded. */
function useParts(): typeof DropdownParts {
  const loaded = use(PartsContext);
  if (!loaded) throw new Error('must be inside Dropdown.Popover');
  return loaded;
}

function Popover({ placement = 'bottom start', className = '', children }: PopoverProps) {
  const trigger = use(OverlayTriggerContext);
  const loaded = parts.use(trigger?.isOpen ?? false);
  if (!trigger || !loaded) return null;
  return (
    <PartsContext value={loaded}>
      <loaded.Dropdown.Popover
        trigger="MenuTrigger"
        triggerRef={trigger.triggerRef}
        isOpen={trigger.isOpen}
        onOpenChange={trigger.setOpen}
        placement={placement}
        aria-labelledby={trigger.triggerId}
        className={`dropdown__popover ${className}`}
      >
        {children}
      </loaded.Dropdown.Popover>
    </PartsContext>
  );
}

function Menu(props: Omit<ComponentProps<Hero['Menu']>, 'className' | 'autoFocus' | 'onClose' | 'id'>) {
  const { Dropdown } = useParts();
  const trigger = use(OverlayTriggerContext);
  if (!trigger) return null;
  return (
    <Dropdown.Menu
      {...props}
      id={trigger.overlayId}
      aria-labelledby={trigger.triggerId}
      autoFocus={trigger.focus}
      onClose={() => trigger.setOpen(false)}
      className="dropdown__menu"
    />
  );
}

function Section(props: ComponentProps<Hero['Section']>) {
  const { Dropdown } = useParts();
  return <Dropdown.Section {...props} />;
}

function Item(props: ComponentProps<Hero['Item']>) {
  const { Dropdown } = useParts();
  return <Dropdown.Item {...props} />;
}

function ItemIndicator(props: ComponentProps<Hero['ItemIndicator']>) {
  const { Dropdown } = useParts();
  return <Dropdown.ItemIndicator {...props} />;
}

function MenuHeader(props: ComponentProps<typeof DropdownParts.Header>) {
  const { Header } = useParts();
  return <Header {...props} />;
}

function MenuLabel(props: ComponentProps<typeof DropdownParts.Label>) {
  const { Label } = useParts();
  return <Label {...props} />;
}

function MenuSeparator(props: ComponentProps<typeof DropdownParts.Separator>) {
  const { Separator } = useParts();
  return <Separator {...props} />;
}

export const Dropdown = Object.assign(Root, {
  Trigger,
  Popover,
  Menu,
  Section,
  Item,
  ItemIndicator,
  Header: MenuHeader,
  Label: MenuLabel,
  Separator: MenuSeparator,
});
