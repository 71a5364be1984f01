import { useBrowserValue } from './use-browser-value';

/** Whether the viewer's keyboard has ⌘ instead of Ctrl; for the browser only. */
export function isMac(): boolean {
  return /mac|iphone|ipad/i.test(navigator.platform);
}

/** Like `isMac`; false until hydration. */
export const useIsMac = (): boolean => useBrowserValue(isMac, false);
