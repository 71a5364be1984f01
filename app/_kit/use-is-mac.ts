'use client';

import { useSyncExternalStore } from 'react';

const noChange = () => () => {};

/** Whether the viewer's keyboard has ⌘ where others have Ctrl; for the browser only. */
export function isMac(): boolean {
  return /mac|iphone|ipad/i.test(navigator.platform);
}

/** As `isMac`; false until the browser has taken over the page. */
export function useIsMac(): boolean {
  return useSyncExternalStore(noChange, isMac, () => false);
}
