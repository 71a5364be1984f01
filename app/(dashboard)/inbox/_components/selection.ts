import { useRef, useState } from 'react';

/** The conversations that are chosen in the list. */
export interface Selection {
  ids: ReadonlySet<string>;
  /** True while all rows show that they can be chosen. */
  isSelecting: boolean;
  begin: () => void;
  /** @param isRange true to choose all between the last one that was chosen and this one */
  toggle: (id: string, isRange?: boolean) => void;
  toggleAll: () => void;
  clear: () => void;
}

/** The rows from one to another, in the order of the list; the second one alone if the first is not in the list. */
export function rangeOf(rows: readonly string[], from: string | null, to: string): string[] {
  const [start, end] = [from === null ? -1 : rows.indexOf(from), rows.indexOf(to)];
  if (start === -1 || end === -1) return [to];
  return rows.slice(Math.min(start, end), Math.max(start, end) + 1);
}

const none: ReadonlySet<string> = new Set();

/**
 * @param list identifies the list: a selection ends with it
 * @param rows its rows; what leaves them is no longer chosen
 */
export function useSelection(list: string, rows: readonly string[]): Selection {
  const [state, setState] = useState({ list, ids: none, isSelecting: false });
  const last = useRef<string | null>(null);
  const isCurrent = state.list === list;
  const ids = isCurrent && state.ids.size > 0 ? new Set(rows.filter((id) => state.ids.has(id))) : none;
  const set = (next: ReadonlySet<string>, isSelecting = next.size > 0) => setState({ list, ids: next, isSelecting });
  return {
    ids,
    isSelecting: isCurrent && state.isSelecting,
    begin: () => set(ids, true),
    toggle: (id, isRange = false) => {
      const next = new Set(ids);
      if (ids.has(id)) next.delete(id);
      else for (const each of isRange ? rangeOf(rows, last.current, id) : [id]) next.add(each);
      last.current = id;
      set(next);
    },
    toggleAll: () => set(ids.size === rows.length ? none : new Set(rows), true),
    clear: () => set(none),
  };
}
