'use client';

import { useSyncExternalStore } from 'react';

const noChange = () => () => {};

/** False on the server and until hydration, then true. */
export function useIsHydrated(): boolean {
  return useSyncExternalStore(
    noChange,
    () => true,
    () => false,
  );
}
