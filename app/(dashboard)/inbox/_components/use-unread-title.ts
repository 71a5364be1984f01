'use client';

import { useEffect } from 'react';

const counted = /^\(\d+\) /;

/** Puts how many are unread in front of the page's title, "(3) Inbox", also when the title changes by itself. */
export function useUnreadTitle(unread: number): void {
  useEffect(() => {
    const write = () => {
      const plain = document.title.replace(counted, '');
      const title = unread > 0 && plain !== '' ? `(${unread}) ${plain}` : plain;
      if (title !== document.title) document.title = title;
    };
    write();
    // A page that is gone to brings its title some time after its content.
    const observer = new MutationObserver(write);
    observer.observe(document.head, { childList: true, characterData: true, subtree: true });
    return () => {
      observer.disconnect();
      document.title = document.title.replace(counted, '');
    };
  }, [unread]);
}
