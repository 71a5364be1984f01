'use client';

import { useSyncExternalStore } from 'react';

const storageKey = 'frontdesk.posts.list';
const listPath = '/posts';

/** Remembers the list as it was last looked at, so that a post's page leads back to the same search and page. */
export function rememberList(query: string): void {
  try {
    sessionStorage.setItem(storageKey, query);
  } catch {
    // Storage may be switched off; then the way back leads to the whole list.
  }
}

function rememberedHref(): string {
  try {
    const query = sessionStorage.getItem(storageKey) ?? '';
    return query.startsWith('?') ? `${listPath}${query}` : listPath;
  } catch {
    return listPath;
  }
}

const noChange = () => () => {};

/** The list of posts as it was last looked at in this tab. */
export function useListHref(): string {
  return useSyncExternalStore(noChange, rememberedHref, () => listPath);
}
