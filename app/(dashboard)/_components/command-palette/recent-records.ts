import { usePathname } from 'next/navigation';
import { useEffect } from 'react';
import { readSetting, writeSetting } from '@/app/_kit/device-setting';
import type { RecordKind } from '@/server/features/search/search.schema';
import { recordOfPath } from './record-links';

/** A recently viewed record, for one browser and business. */
export interface RecentRecord {
  kind: RecordKind;
  id: string;
  title: string;
}

/** How many records are stored. */
export const recentMaximum = 8;

const kinds: ReadonlySet<unknown> = new Set<RecordKind>(['customer', 'conversation', 'event', 'agent', 'post', 'apiKey']);

function isRecentRecord(value: unknown): value is RecentRecord {
  const { kind, id, title } = (value ?? {}) as Partial<Record<keyof RecentRecord, unknown>>;
  return kinds.has(kind) && typeof id === 'string' && typeof title === 'string';
}

/** Validates stored records, since anyone can edit a browser's storage. */
export function parseRecent(text: string | null): RecentRecord[] {
  try {
    const stored: unknown = JSON.parse(text ?? '[]');
    return Array.isArray(stored) ? stored.filter(isRecentRecord).slice(0, recentMaximum) : [];
  } catch {
    return [];
  }
}

/** The list with a record moved to its head. */
export function withRecent(list: readonly RecentRecord[], { kind, id, title }: RecentRecord): RecentRecord[] {
  return [{ kind, id, title }, ...withoutRecent(list, id)].slice(0, recentMaximum);
}

/** The list without a deleted record. */
export function withoutRecent(list: readonly RecentRecord[], id: string): RecentRecord[] {
  return list.filter((record) => record.id !== id);
}

const storageKey = (identityId: string) => `frontdesk.recent.${identityId}`;

/** Latest first; empty if the browser stores nothing. */
export const readRecent = (identityId: string): RecentRecord[] => parseRecent(readSetting(storageKey(identityId)));

/** Changes the stored list; does nothing if the browser stores nothing. */
export function changeRecent(identityId: string, change: (list: RecentRecord[]) => RecentRecord[]): void {
  writeSetting(storageKey(identityId), JSON.stringify(change(readRecent(identityId))));
}

/** The page name within a document title: `(3) An offer · Frontdesk` → `An offer`. */
export function pageName(title: string): string {
  return title.replace(/^\(\d+\) /, '').replace(/ · Frontdesk$/, '');
}

/** Stores the current page's record under the page's title. */
function rememberPage(identityId: string): void {
  const record = recordOfPath(window.location.pathname);
  if (record === null) return;
  const title = pageName(document.title);
  const isGone = / not found$/.test(title);
  changeRecent(identityId, (list) => (isGone ? withoutRecent(list, record.id) : withRecent(list, { ...record, title })));
}

/** Records visited records for the command palette. */
export function useRememberVisits(identityId: string): void {
  const pathname = usePathname();
  // biome-ignore lint/correctness/useExhaustiveDependencies: another path is another visit
  useEffect(() => {
    rememberPage(identityId);
    // After navigation the title changes some time after the content.
    const observer = new MutationObserver(() => rememberPage(identityId));
    observer.observe(document.head, { childList: true, characterData: true, subtree: true });
    return () => observer.disconnect();
  }, [identityId, pathname]);
}
