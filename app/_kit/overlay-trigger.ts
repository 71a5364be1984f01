'use client';

import { createContext, type KeyboardEvent, type MouseEvent, type RefObject, use, useId, useMemo, useRef, useState } from 'react';

/** What gets the focus inside of a menu that opens: its first or last entry, or itself. */
export type FocusStrategy = 'first' | 'last' | true;

/** The button that opens a menu or a small form, and what it opens. */
export interface OverlayTrigger {
  kind: 'menu' | 'dialog';
  triggerRef: RefObject<HTMLButtonElement | null>;
  triggerId: string;
  overlayId: string;
  isOpen: boolean;
  focus: FocusStrategy;
  open: (focus: FocusStrategy) => void;
  setOpen: (isOpen: boolean) => void;
  /** Fetches what is opened, while somebody is about to. */
  prepare: () => void;
}

/** The trigger of the overlay at hand, for the button that is to open it and for what it opens. */
export const OverlayTriggerContext = createContext<OverlayTrigger | null>(null);

interface OverlayTriggerOptions {
  kind: OverlayTrigger['kind'];
  isOpen?: boolean;
  onOpenChange?: (isOpen: boolean) => void;
  /** Fetches what is opened. */
  load: () => Promise<unknown>;
}

/** The state of something that a button opens. What it opens is fetched when the button is pointed at, has the focus or is pressed. */
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
 * Enter and the space bar open by themselves instead of by the click that the browser makes of them: React Aria takes a click without a
 * pointer for a screen reader's, and with those it moves the focus late, and to the menu instead of its first entry.
 */
const pressFocus: Readonly<Record<string, FocusStrategy>> = { Enter: 'first', ' ': 'first' };
const menuFocus: Readonly<Record<string, FocusStrategy>> = { ...pressFocus, ArrowDown: 'first', ArrowUp: 'last' };

/** What a button does and says as a trigger; nothing where it is none. */
export function useTriggerProps() {
  const trigger = use(OverlayTriggerContext);
  const isKeyAtWork = useRef(false);
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
        isKeyAtWork.current = focus !== undefined && !isOpen;
        if (!focus || isOpen) return;
        event.preventDefault();
        open(focus);
      },
      onKeyUp: (event: KeyboardEvent) => {
        // Firefox makes its click of the space bar only now, which would close what the key has opened a moment ago.
        if (isKeyAtWork.current && event.key === ' ') event.preventDefault();
      },
    },
    onClick: (event: MouseEvent) => {
      // A click of the keyboard, or of a screen reader, has no count.
      if (isOpen) setOpen(false);
      else open(event.detail === 0 ? 'first' : true);
    },
  };
}
