import type { MouseEvent } from 'react';

/** Whether a click on a link asks for nothing special, such as another tab, so that a page may follow the link in its own way. */
export function isPlainClick(event: MouseEvent): boolean {
  return event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
}
