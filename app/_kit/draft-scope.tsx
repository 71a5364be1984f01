'use client';

import { createContext, type ReactNode, use, useMemo, useState, useSyncExternalStore } from 'react';
import { adoptOldDrafts, type DraftScope, draftKey, draftNames, readDraft, removeDraft, watchDrafts } from './draft-store';

const DraftScopeContext = createContext<DraftScope | null>(null);

/** Says whose drafts the forms below keep. */
export function DraftScopeProvider({ userId, identityId, children }: DraftScope & { children: ReactNode }) {
  const scope = useMemo(() => ({ userId, identityId }), [userId, identityId]);
  // Before anything below looks for its draft.
  useState(() => typeof window !== 'undefined' && adoptOldDrafts({ userId, identityId }));
  return <DraftScopeContext value={scope}>{children}</DraftScopeContext>;
}

/** Whose drafts forms here keep; null where nobody is signed in. */
export const useDraftScope = (): DraftScope | null => use(DraftScopeContext);

/** Where a draft of this name is kept; null where nobody is signed in, and where there is no name. */
export function useDraftKey(name: string | undefined): string | null {
  const scope = useDraftScope();
  return scope && name !== undefined ? draftKey(scope, name) : null;
}

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

/** What was typed into a form before, in this browser, and can be restored. */
export interface DraftOffer {
  at: string;
  restore: () => void;
  discard: () => void;
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
  const key = useDraftKey(name);
  const isKept = useDraftNames(name).has('');
  const at = isKept && key !== null ? readDraft(key, writtenAt) : null;
  return at === null || key === null ? null : { at, restore, discard: () => removeDraft(key) };
}
