'use client';

import { List } from 'lucide-react';
import { usePathname } from 'next/navigation';
import { useMemo, useState } from 'react';
import { useViewerLocale } from '@/app/_kit/viewer-format';
import type { FoundRecord, FoundRecords, RecordKind } from '@/server/features/search/search.schema';
import type { FrameProps } from '../frame-props';
import { matchEntries, type PaletteEntry, type PaletteGroup } from './palette-entries';
import { readRecent } from './recent-records';
import { recordOfPath, recordPlaces } from './record-links';
import { pageEntries, usePaletteActions } from './use-palette-actions';
import { type RecordSearch, useRecordSearch } from './use-record-search';

function recentEntries(identityId: string, pathname: string): PaletteEntry[] {
  const here = recordOfPath(pathname)?.id;
  return readRecent(identityId)
    .filter(({ id }) => id !== here)
    .map((record) => {
      const { icon, href, unnamed } = recordPlaces[record.kind];
      return { id: `recent:${record.id}`, title: record.title || unnamed, icon, href: href(record.id), record };
    });
}

function recordEntry(kind: RecordKind, { id, title, detail, at }: FoundRecord, locale: string): PaletteEntry {
  const { icon, href, unnamed } = recordPlaces[kind];
  const when =
    at === null ? '' : new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' }).format(new Date(at));
  return {
    id: `${kind}:${id}`,
    title: title || unnamed,
    detail: [when, detail].filter((part) => part !== '').join(' · '),
    icon,
    href: href(id),
    record: { kind, id, title },
  };
}

function recordGroups({ groups }: FoundRecords, query: string, locale: string): PaletteGroup[] {
  return groups.map(({ kind, records, hasMore }) => {
    const { label, listHref } = recordPlaces[kind];
    const entries = records.map((record) => recordEntry(kind, record, locale));
    if (hasMore && listHref)
      entries.push({ id: `all:${kind}`, title: `All ${label.toLowerCase()} that match`, icon: List, href: listHref(query) });
    return { label, entries };
  });
}

/** What was found a moment ago for less or other text, as far as it is called what is typed by now: nothing else may be opened. */
function stillMatching(groups: readonly PaletteGroup[], query: string): PaletteGroup[] {
  const wanted = query.toLowerCase();
  return groups
    .map(({ label, entries }) => ({
      label,
      entries: entries.filter(({ title, record }) => record && title.toLowerCase().includes(wanted)),
    }))
    .filter(({ entries }) => entries.length > 0);
}

/** The lists in which one may look for the same, filtered. */
function listEntries(query: string): PaletteEntry[] {
  return Object.entries(recordPlaces).flatMap(([kind, { label, icon, listHref }]) =>
    listHref ? [{ id: `list:${kind}`, title: `Search ${label.toLowerCase()} for “${query}”`, icon, href: listHref(query) }] : [],
  );
}

interface PaletteGroups extends Omit<RecordSearch, 'found'> {
  groups: PaletteGroup[];
  /** How many of them are answers to what was typed. */
  matches: number;
}

/** What the palette lists: without text what is at hand, with text what matches it. */
export function usePaletteGroups(frame: FrameProps, text: string): PaletteGroups {
  const pathname = usePathname();
  const locale = useViewerLocale();
  const actions = usePaletteActions(frame);
  const [recent] = useState(() => recentEntries(frame.identity.id, pathname));
  const { found, ...search } = useRecordSearch(text);
  const query = text.trim();
  const records = useMemo(() => (found ? recordGroups(found, query, locale) : []), [found, query, locale]);
  if (query === '') {
    const groups = [
      { label: 'Recent', entries: recent },
      { label: 'Pages', entries: pageEntries },
      { label: 'Actions', entries: actions },
    ];
    return { groups: groups.filter(({ entries }) => entries.length > 0), matches: 0, ...search };
  }
  const matching = matchEntries([...pageEntries, ...actions], query);
  const shown = search.isSearching ? stillMatching(records, query) : records;
  const groups = [...(matching.length > 0 ? [{ label: 'Pages and actions', entries: matching }] : []), ...shown];
  const matches = groups.reduce((sum, { entries }) => sum + entries.filter(({ id }) => !id.startsWith('all:')).length, 0);
  if (matches > 0 || search.isSearching) return { groups, matches, ...search };
  return { groups: [{ label: 'Look further', entries: listEntries(query) }], matches, ...search };
}
