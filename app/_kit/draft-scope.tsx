'use client';

import { createContext, type ReactNode, use, useMemo, useState } from 'react';
import { adoptOldDrafts, type DraftScope } from './draft-store';

const DraftScopeContext = createContext<DraftScope | null>(null);

/** Says whose drafts the forms below keep. */
export function DraftScopeProvider({ userId, identityId, children }: DraftScope & { children: ReactNode }) {
  const scope = useMemo(() => ({ userId, identityId }), [userId, identityId]);
  // Before anything below looks for its draft.
  useState(() => typeof window !== 'undefined' && adoptOldDrafts({ userId, identityId }));
  return <DraftScopeContext value={scope}>{children}</DraftScopeContext>;
}

/** Whose drafts forms here keep; null where no one is signed in. */
export const useDraftScope = (): DraftScope | null => use(DraftScopeContext);
