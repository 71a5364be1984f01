import { type ComponentProps, type ComponentType, createContext, type ReactNode, use } from 'react';
import { Pressable, type PressableProps } from '@/app/_kit/button';
import { usePermission } from '@/app/_kit/use-permission';
import type { Permission } from '@/server/platform/auth/scopes.schema';
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

interface ItemProps extends Omit<ComponentProps<Hero['Item']>, 'children'> {
  /** What the member's role has to include; see `Pressable`. */
  needs?: Permission | undefined;
  children?: ReactNode;
}

/** An entry. One that the member's role does not allow is disabled, and says who can. */
function Item({ needs, children, ...props }: ItemProps) {
  const { Dropdown } = useParts();
  const { isAllowed, reason } = usePermission(needs);
  if (isAllowed) return <Dropdown.Item {...props}>{children}</Dropdown.Item>;
  return (
    <Dropdown.Item {...props} isDisabled>
      <span className="flex min-w-0 flex-col">
        <span className="flex items-center gap-2">{children}</span>
        <span className="text-xs whitespace-normal">{reason}</span>
      </span>
    </Dropdown.Item>
  );
}

/** A part of a menu, from the code that was loaded with it. */
function part<Props extends object>(pick: (parts: typeof DropdownParts) => ComponentType<Props>) {
  return function Part(props: Props) {
    const Loaded = pick(useParts());
    return <Loaded {...props} />;
  };
}

export const Dropdown = Object.assign(Root, {
  Trigger,
  Popover,
  Menu,
  Section: part<ComponentProps<Hero['Section']>>(({ Dropdown: { Section } }) => Section),
  Item,
  ItemIndicator: part<ComponentProps<Hero['ItemIndicator']>>(({ Dropdown: { ItemIndicator } }) => ItemIndicator),
  Header: part<ComponentProps<typeof DropdownParts.Header>>(({ Header }) => Header),
  Label: part<ComponentProps<typeof DropdownParts.Label>>(({ Label }) => Label),
  Separator: part<ComponentProps<typeof DropdownParts.Separator>>(({ Separator }) => Separator),
});
