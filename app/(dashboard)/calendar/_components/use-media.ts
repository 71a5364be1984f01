'use client';

import { useCallback, useSyncExternalStore } from 'react';

/** Whether the window is as a media query says; false on the server and while hydrating. */
function useMedia(query: string): boolean {
  const subscribe = useCallback(
    (onChange: () => void) => {
      const media = window.matchMedia(query);
      media.addEventListener('change', onChange);
      return () => media.removeEventListener('change', onChange);
    },
    [query],
  );
  return useSyncExternalStore(
    subscribe,
    () => window.matchMedia(query).matches,
    () => false,
  );
}

/** Tailwind's `md`, below which seven days side by side are too narrow to read. */
export const useIsPhone = () => useMedia('(width < 48rem)');
