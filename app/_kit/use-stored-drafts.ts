import { useMemo, useSyncExternalStore } from 'react';
import { type DraftOffer, useDraftKey, useDraftScope } from './draft-scope';
import { draftNames, readDraft, removeDraft, watchDrafts } from './draft-store';

/** Drafts of forms that are not on the page; separate from draft-scope.tsx, which every page loads. */

/** The names of the drafts in this browser that begin with `start`, without it; none during hydration. */
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
 * The draft of a form that is not on the page now; null if there is none.
 *
 * @param restore opens the form with the draft
 */
export function useStoredDraft(name: string, restore: () => void): DraftOffer | null {
  const key = useDraftKey(name);
  const isKept = useDraftNames(name).has('');
  const at = isKept && key !== null ? readDraft(key, writtenAt) : null;
  return at === null || key === null ? null : { at, restore, discard: () => removeDraft(key) };
}
