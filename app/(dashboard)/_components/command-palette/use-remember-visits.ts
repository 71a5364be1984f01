'use client';

import { usePathname } from 'next/navigation';
import { useEffect } from 'react';
import { changeRecent, withoutRecent, withRecent } from './recent-records';
import { recordOfPath } from './record-links';

/** The name of a page from its title: `(3) An offer · Frontdesk` → `An offer`. */
export function pageName(title: string): string {
  return title.replace(/^\(\d+\) /, '').replace(/ · Frontdesk$/, '');
}

/** Notes the record a page is about, under the page's title. */
function rememberPage(identityId: string): void {
  const record = recordOfPath(window.location.pathname);
  if (record === null) return;
  const title = pageName(document.title);
  const isGone = / not found$/.test(title);
  changeRecent(identityId, (list) => (isGone ? withoutRecent(list, record.id) : withRecent(list, { ...record, title })));
}

/** Keeps the records that were looked at for the command palette. */
export function useRememberVisits(identityId: string): void {
  const pathname = usePathname();
  // biome-ignore lint/correctness/useExhaustiveDependencies: another path is another visit
  useEffect(() => {
    rememberPage(identityId);
    // A page that is gone to brings its title some time after its content.
    const observer = new MutationObserver(() => rememberPage(identityId));
    observer.observe(document.head, { childList: true, characterData: true, subtree: true });
    return () => observer.disconnect();
  }, [identityId, pathname]);
}
