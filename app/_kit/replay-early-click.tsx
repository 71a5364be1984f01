'use client';

import { useEffect } from 'react';

declare global {
  interface Window {
    /** Ends the listening for early clicks and gives the button that was clicked last, if one was. */
    takeEarlyClick?: () => HTMLElement | null;
  }
}

/** Clicks again, now that somebody listens. */
export function ReplayEarlyClick() {
  useEffect(() => {
    const clicked = window.takeEarlyClick?.();
    delete window.takeEarlyClick;
    if (clicked?.isConnected) clicked.click();
  }, []);
  return null;
}
