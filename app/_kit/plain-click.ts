import type { MouseEvent } from 'react';

/** Whether a click on a link is a plain one, without a modifier such as for another tab, so that a page may handle it. */
export function isPlainClick(event: MouseEvent): boolean {
  return event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
}
