'use client';

import { type FocusEvent, useEffect, useRef } from 'react';

/** Long enough for a menu or dialog to have closed. */
const framesMaximum = 60;

interface KeptFocusOptions {
  /** The ids of the rows, in their order. */
  ids: readonly string[];
  /** What was asked for. Rows that go because something else was asked for take no focus with them. */
  query: string;
}

/**
 * Keeps the place of somebody at the keyboard. A row that leaves the list by what was done to it takes the focus with it, since the
 * menu or dialog has nowhere to hand it back to; the row that moves up gets it then, or the list where none is left.
 *
 * @returns what the element around the `DataTable` needs; give it a `tabIndex` of -1
 */
export function useKeptFocus<Container extends HTMLElement>({ ids, query }: KeptFocusOptions) {
  const container = useRef<Container>(null);
  const isInside = useRef(false);
  const before = useRef({ ids, query });

  useEffect(() => {
    const gone = before.current.query === query ? before.current.ids.findIndex((id) => !ids.includes(id)) : -1;
    before.current = { ids, query };
    if (gone === -1 || !isInside.current) return;
    let frames = 0;
    let frame = requestAnimationFrame(function look() {
      const focused = document.activeElement ?? document.body;
      if (focused === document.body) {
        const links = container.current?.querySelectorAll<HTMLElement>('a[data-row-link]') ?? [];
        (links[Math.min(gone, links.length - 1)] ?? container.current)?.focus({ preventScroll: true });
      } else if (focused.closest('[role="menu"], [role="alertdialog"]') && frames < framesMaximum) {
        frames += 1;
        frame = requestAnimationFrame(look);
      }
    });
    return () => cancelAnimationFrame(frame);
  }, [ids, query]);

  return {
    ref: container,
    // These hear of menus and dialogs of the rows as well, wherever they stand in the document.
    onFocus: () => {
      isInside.current = true;
    },
    onBlur: ({ relatedTarget }: FocusEvent) => {
      if (relatedTarget !== null) isInside.current = false;
    },
  };
}
