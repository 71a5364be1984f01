'use client';

import { usePathname } from 'next/navigation';
import { useEffect } from 'react';
import type { RecordKind } from '@/server/features/search/search.schema';
import { recordOfPath } from './record-links';

/** A record looked at lately, in this browser and for one business. */
export interface RecentRecord {
  kind: RecordKind;
  id: string;
  title: string;
}

/** How many are kept. */
export const recentMaximum = 8;

const kinds: ReadonlySet<unknown> = new Set<RecordKind>(['customer', 'conversation', 'event', 'agent', 'post', 'apiKey']);

function isRecentRecord(value: unknown): value is RecentRecord {
  const { kind, id, title } = (value ?? {}) as Partial<Record<keyof RecentRecord, unknown>>;
  return kinds.has(kind) && typeof id === 'string' && typeof title === 'string';
}

/** What was stored, as far as it makes sense: anybody can write into a browser's storage. */
export function parseRecent(text: string | null): RecentRecord[] {
  try {
    const stored: unknown = JSON.parse(text ?? '[]');
    return Array.isArray(stored) ? stored.filter(isRecentRecord).slice(0, recentMaximum) : [];
  } catch {
    return [];
  }
}

/** The list with a record at its head, once. */
export function withRecent(list: readonly RecentRecord[], { kind, id, title }: RecentRecord): RecentRecord[] {
  return [{ kind, id, title }, ...withoutRecent(list, id)].slice(0, recentMaximum);
}

/** The list without a record that is gone. */
export function withoutRecent(list: readonly RecentRecord[], id: string): RecentRecord[] {
  return list.filter((record) => record.id !== id);
}

const storageKey = (identityId: string) => `frontdesk.recent.${identityId}`;

/** The latest first; none where the browser keeps nothing. */
export function readRecent(identityId: string): RecentRecord[] {
  try {
    return parseRecent(localStorage.getItem(storageKey(identityId)));
  } catch {
    return [];
  }
}

/** Changes what is stored; nothing happens where the browser keeps nothing. */
export function changeRecent(identityId: string, change: (list: RecentRecord[]) => RecentRecord[]): void {
  try {
    localStorage.setItem(storageKey(identityId), JSON.stringify(change(readRecent(identityId))));
  } catch {
    // A convenience only.
  }
}

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
