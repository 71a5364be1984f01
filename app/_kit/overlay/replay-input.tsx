'use client';

import { useEffect } from 'react';

declare global {
  interface Window {
    /** Stops recording clicks. @returns the button that was clicked last, if any */
    takeClickBeforeHydration?: () => HTMLElement | null;
    /** Stops recording keys. @returns those pressed since the last click, in order */
    takeKeysBeforeHydration?: () => KeyboardEvent[];
  }
}

/** Replays the click that `InputBeforeHydration` recorded; `usePageKeys` does so with the keys. */
export function ReplayClick() {
  useEffect(() => {
    const clicked = window.takeClickBeforeHydration?.();
    delete window.takeClickBeforeHydration;
    if (clicked?.isConnected) clicked.click();
  }, []);
  return null;
}

/**
 * Replays the first shortcut that `InputBeforeHydration` recorded, for when shortcuts are listened to. What was typed after it was
 * meant for what it opens, and not as further shortcuts.
 */
export function replayKeys(): void {
  const keys = window.takeKeysBeforeHydration?.() ?? [];
  delete window.takeKeysBeforeHydration;
  for (const event of keys) {
    // The event itself is the description of its copy.
    const isUnknown = document.body.dispatchEvent(new KeyboardEvent('keydown', event));
    if (!isUnknown) return;
  }
}
