'use client';

import { useMemo, useSyncExternalStore } from 'react';
import { useDraftScope } from './draft-scope';
import { draftKey, draftNames, readDraft, removeDraft, watchDrafts } from './draft-store';
import type { DraftOffer } from './use-form-draft';

/** The names of the drafts that this browser keeps and that begin with `start`, without it; none while the page is being taken over. */
export function useDraftNames(start: string): ReadonlySet<string> {
  const scope = useDraftScope();
  const names = useSyncExternalStore(
    watchDrafts,
    () => (scope ? draftNames(scope, start).sort().join('\n') : ''),
    () => '',
  );
  return useMemo(() => new Set(names === '' ? [] : names.split('\n').map((name) => name.slice(start.length))), [names, start]);
}

const writtenAt = (stored: unknown) => {
  const { at } = (stored ?? {}) as { at?: unknown };
  return typeof at === 'string' ? at : null;
};

/**
 * The draft of a form that is not on the page now; null where there is none.
 *
 * @param restore opens the form with what was typed
 */
export function useStoredDraft(name: string, restore: () => void): DraftOffer | null {
  const scope = useDraftScope();
  const isThere = useDraftNames(name).has('');
  const key = scope && draftKey(scope, name);
  const at = isThere && key !== null ? readDraft(key, writtenAt) : null;
  return at === null || key === null ? null : { at, restore, discard: () => removeDraft(key) };
}
