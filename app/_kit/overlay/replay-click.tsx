'use client';

import { useEffect } from 'react';

declare global {
  interface Window {
    /** Stops recording clicks before hydration. @returns the button that was clicked last, if any */
    takeClickBeforeHydration?: () => HTMLElement | null;
  }
}

/** Replays the click that `ClickBeforeHydration` recorded. */
export function ReplayClick() {
  useEffect(() => {
    const clicked = window.takeClickBeforeHydration?.();
    delete window.takeClickBeforeHydration;
    if (clicked?.isConnected) clicked.click();
  }, []);
  return null;
}
