'use client';

import { useSyncExternalStore } from 'react';

/** The last search of each list in this tab, so that a record's page links back to the same search and page. */

const storageKey = (path: string) => `frontdesk.list.${path}`;

/** @param path of the list, such as `/customers`; @param query with its question mark, or empty */
export function rememberList(path: string, query: string): void {
  try {
    sessionStorage.setItem(storageKey(path), query);
  } catch {
    // Storage may be disabled; then the link leads to the whole list.
  }
}

function rememberedHref(path: string): string {
  try {
    const query = sessionStorage.getItem(storageKey(path)) ?? '';
    return query.startsWith('?') ? `${path}${query}` : path;
  } catch {
    return path;
  }
}

const noChange = () => () => {};

/** The address of the list at `path` with its last search. */
export function useListHref(path: string): string {
  return useSyncExternalStore(
    noChange,
    () => rememberedHref(path),
    () => path,
  );
}
