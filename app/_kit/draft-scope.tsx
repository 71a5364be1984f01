'use client';

import { createContext, type ReactNode, use, useMemo, useState } from 'react';
import { adoptOldDrafts, type DraftScope, draftKey } from './draft-store';

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

/** What was typed into a form before, in this browser, and can be restored. */
export interface DraftOffer {
  at: string;
  restore: () => void;
  discard: () => void;
}
