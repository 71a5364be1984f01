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

/** Replays the keys that `InputBeforeHydration` recorded; for when shortcuts are listened to. */
export function replayKeys(): void {
  const keys = window.takeKeysBeforeHydration?.() ?? [];
  delete window.takeKeysBeforeHydration;
  for (const { key, code, ctrlKey, metaKey, altKey, shiftKey } of keys) {
    const init = { key, code, ctrlKey, metaKey, altKey, shiftKey, bubbles: true, cancelable: true };
    document.body.dispatchEvent(new KeyboardEvent('keydown', init));
  }
}
