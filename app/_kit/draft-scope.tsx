'use client';

import { createContext, type ReactNode, use, useMemo, useState } from 'react';
import { type DraftScope, draftKey, migrateOldDrafts } from './draft-store';

const DraftScopeContext = createContext<DraftScope | null>(null);

/** Provides the scope of the drafts of the forms below. */
export function DraftScopeProvider({ userId, identityId, children }: DraftScope & { children: ReactNode }) {
  const scope = useMemo(() => ({ userId, identityId }), [userId, identityId]);
  // Runs before any form below looks for its draft.
  useState(() => typeof window !== 'undefined' && migrateOldDrafts({ userId, identityId }));
  return <DraftScopeContext value={scope}>{children}</DraftScopeContext>;
}

/** The scope of the drafts of forms here; null without a signed-in account. */
export const useDraftScope = (): DraftScope | null => use(DraftScopeContext);

/** The storage key of a draft; null without a signed-in account or a name. */
export function useDraftKey(name: string | undefined): string | null {
  const scope = useDraftScope();
  return scope && name !== undefined ? draftKey(scope, name) : null;
}

/** A restorable draft of a form in this browser. */
export interface DraftOffer {
  at: string;
  restore: () => void;
  discard: () => void;
}
