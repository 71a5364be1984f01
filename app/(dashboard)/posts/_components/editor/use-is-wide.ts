'use client';

import { useSyncExternalStore } from 'react';

/** Tailwind's `lg`, from which on source and preview stand side by side. */
const query = '(width >= 64rem)';

function subscribe(onChange: () => void): () => void {
  const media = window.matchMedia(query);
  media.addEventListener('change', onChange);
  return () => media.removeEventListener('change', onChange);
}

/** Whether the window has room for panes side by side; false on the server and while hydrating. */
export function useIsWide(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => window.matchMedia(query).matches,
    () => false,
  );
}
