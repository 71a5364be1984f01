import { createContext, type KeyboardEvent, type MouseEvent, type RefObject, use, useId, useMemo, useRef, useState } from 'react';

/** What gets the focus when a menu opens: the first or last entry, or the menu itself. */
export type FocusStrategy = 'first' | 'last' | true;

/** A button and the menu or popover that it opens. */
export interface OverlayTrigger {
  kind: 'menu' | 'dialog';
  triggerRef: RefObject<HTMLButtonElement | null>;
  triggerId: string;
  overlayId: string;
  isOpen: boolean;
  focus: FocusStrategy;
  open: (focus: FocusStrategy) => void;
  setOpen: (isOpen: boolean) => void;
  /** Loads the overlay's code before it is opened. */
  prepare: () => void;
}

/** Connects a trigger button with its overlay. */
export const OverlayTriggerContext = createContext<OverlayTrigger | null>(null);

interface OverlayTriggerOptions {
  kind: OverlayTrigger['kind'];
  isOpen?: boolean;
  onOpenChange?: (isOpen: boolean) => void;
  /** Loads the overlay's code. */
  load: () => Promise<unknown>;
}

/** The state of an overlay with a trigger button. Its code is loaded when the button is hovered, focused or pressed. */
export function useOverlayTrigger({ kind, isOpen: given, onOpenChange, load }: OverlayTriggerOptions): OverlayTrigger {
  const triggerRef = useRef<HTMLButtonElement>(null);
  const triggerId = useId();
  const overlayId = useId();
  const [isOpenHere, setOpenHere] = useState(false);
  const [focus, setFocus] = useState<FocusStrategy>(true);
  const isOpen = given ?? isOpenHere;
  return useMemo(() => {
    const setOpen = (next: boolean) => {
      setOpenHere(next);
      onOpenChange?.(next);
    };
    const open = (strategy: FocusStrategy) => {
      setFocus(strategy);
      setOpen(true);
    };
    const prepare = () => void load().catch(() => undefined);
    return { kind, triggerRef, triggerId, overlayId, isOpen, focus, open, setOpen, prepare };
  }, [kind, triggerId, overlayId, isOpen, focus, onOpenChange, load]);
}

/**
 * Enter and space open on keydown, not through the browser's click: React Aria takes a click without a pointer for a screen
 * reader's, and then moves the focus late, and to the menu instead of its first entry.
 */
const pressFocus: Readonly<Record<string, FocusStrategy>> = { Enter: 'first', ' ': 'first' };
const menuFocus: Readonly<Record<string, FocusStrategy>> = { ...pressFocus, ArrowDown: 'first', ArrowUp: 'last' };

/** The props of a button as a trigger; null outside an overlay. */
export function useTriggerProps() {
  const trigger = use(OverlayTriggerContext);
  const openedByKey = useRef(false);
  if (!trigger) return null;
  const { kind, triggerRef, triggerId, overlayId, isOpen, open, setOpen, prepare } = trigger;
  return {
    ref: triggerRef,
    props: {
      id: triggerId,
      'aria-haspopup': kind === 'menu' ? (true as const) : undefined,
      'aria-expanded': isOpen,
      'aria-controls': isOpen ? overlayId : undefined,
      onPointerEnter: prepare,
      onFocus: prepare,
      onKeyDown: (event: KeyboardEvent) => {
        const focus = (kind === 'menu' ? menuFocus : pressFocus)[event.key];
        openedByKey.current = focus !== undefined && !isOpen;
        if (!focus || isOpen) return;
        event.preventDefault();
        open(focus);
      },
      onKeyUp: (event: KeyboardEvent) => {
        // Firefox fires the space bar's click on keyup, which would close the overlay that keydown opened.
        if (openedByKey.current && event.key === ' ') event.preventDefault();
      },
    },
    onClick: (event: MouseEvent) => {
      // A click from a keyboard or a screen reader has detail 0.
      if (isOpen) setOpen(false);
      else open(event.detail === 0 ? 'first' : true);
    },
  };
}
