'use client';

import { useSyncExternalStore } from 'react';

const noChange = () => () => {};

/** Whether the viewer's keyboard has ⌘ instead of Ctrl; for the browser only. */
export function isMac(): boolean {
  return /mac|iphone|ipad/i.test(navigator.platform);
}

/** Like `isMac`; false until hydration. */
export function useIsMac(): boolean {
  return useSyncExternalStore(noChange, isMac, () => false);
}
