'use client';

import { useSyncExternalStore } from 'react';

/** Tailwind's `xl`, from which on the details stand beside the thread. */
const query = '(width >= 80rem)';

function subscribe(onChange: () => void): () => void {
  const media = window.matchMedia(query);
  media.addEventListener('change', onChange);
  return () => media.removeEventListener('change', onChange);
}

/** Whether the window is wide enough for a third pane; false on the server and while hydrating. */
export function useHasRoomForContext(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => window.matchMedia(query).matches,
    () => false,
  );
}
