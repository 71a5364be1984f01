import { type FocusEvent, useEffect, useLayoutEffect, useRef } from 'react';

interface Place {
  element: Element;
  row: HTMLTableRowElement;
  index: number;
}

/**
 * Keeps the focus in a table. A button may disappear by its own action (a resent mail leaves the list), and the next Tab would
 * start at the top of the page. The link of its row gets the focus instead, or that of the row at its position.
 *
 * @returns props for the body of the table
 */
export function useKeptFocus() {
  const body = useRef<HTMLTableSectionElement>(null);
  const place = useRef<Place | null>(null);

  // After each render, since rows and buttons disappear with one.
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
    // React fires no blur for elements that it removes, so this one was intended.
    onBlur: () => {
      place.current = null;
    },
  };
}

/** Animation frames to wait for a menu or dialog to close. */
const framesMaximum = 60;

interface RemovalOptions {
  /** The ids of the rows, in their order. */
  ids: readonly string[];
  /** The query of the list. Rows that leave because the query has changed are ignored. */
  query: string;
}

/**
 * Moves the focus when a row leaves a list because of an action in a menu or dialog: these have no row to return the focus to.
 * The row that moves up gets it, or the list itself if none is left.
 *
 * @returns props for the element around the rows, which needs a `tabIndex` of -1
 */
export function useFocusAfterRemoval<Container extends HTMLElement>({ ids, query }: RemovalOptions) {
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
    // React events also bubble from the menus and dialogs of the rows, wherever they are rendered.
    onFocus: () => {
      isInside.current = true;
    },
    onBlur: ({ relatedTarget }: FocusEvent) => {
      if (relatedTarget !== null) isInside.current = false;
    },
  };
}
