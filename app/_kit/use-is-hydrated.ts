'use client';

import { useSyncExternalStore } from 'react';

const noChange = () => () => {};

/** False on the server and until the browser's React has taken over the page, then true. */
export function useIsHydrated(): boolean {
  return useSyncExternalStore(
    noChange,
    () => true,
    () => false,
  );
}
