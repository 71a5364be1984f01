'use client';

import { type FocusEvent, useLayoutEffect, useRef } from 'react';

interface Place {
  element: Element;
  row: HTMLTableRowElement;
  index: number;
}

/**
 * Keeps the keyboard's place among rows. A button that ends with what it did (a mail is sent again, and leaves the list) would take the
 * focus along, and the next Tab would begin at the top of the page; instead, the row's link gets it, else that of the row in its place.
 *
 * @returns what the body of the table needs
 */
export function useKeptFocus() {
  const body = useRef<HTMLTableSectionElement>(null);
  const place = useRef<Place | null>(null);

  // After each rendering: rows and buttons go with one.
  useLayoutEffect(() => {
    const lost = place.current;
    const { rows } = body.current ?? {};
    if (!lost || !rows || lost.element.isConnected || document.activeElement !== document.body) return;
    place.current = null;
    const row = lost.row.isConnected ? lost.row : rows[Math.min(lost.index, rows.length - 1)];
    row?.querySelector<HTMLElement>('a[data-row-link]')?.focus({ preventScroll: true });
  });

  return {
    ref: body,
    onFocus: ({ target }: FocusEvent) => {
      const row = target.closest('tr');
      place.current = row && { element: target, row, index: row.sectionRowIndex };
    },
    // React reports none for what it takes out itself, so that this one was meant.
    onBlur: () => {
      place.current = null;
    },
  };
}
