import { keepPreviousData, skipToken, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { BookOpen, Braces, Building2, Copy, Keyboard, List, LogOut, Plus } from 'lucide-react';
import { usePathname } from 'next/navigation';
import { useTheme } from 'next-themes';
import { useMemo, useState } from 'react';
import { copyText } from '@/app/_kit/copy-button';
import { isAllowed } from '@/app/_kit/permission';
import { themeChoices } from '@/app/_kit/theme-choices';
import { toast } from '@/app/_kit/toast';
import { leavePage } from '@/app/_kit/unsaved-changes';
import { useDebounced } from '@/app/_kit/use-debounced';
import { useRole } from '@/app/_kit/use-permission';
import { useViewerLocale } from '@/app/_kit/viewer-format';
import { useTRPC } from '@/app/_trpc/client';
import {
  type FoundRecord,
  type FoundRecords,
  type RecordKind,
  searchMaximum,
  searchMinimum,
} from '@/server/features/search/search.schema';
import type { TeamRole } from '@/server/platform/auth/team-roles.schema';
import { searchWords } from '@/server/platform/search-words';
import { pageCallsOf } from '../api-drawer/page-calls';
import { openFrameOverlay } from '../frame-overlay';
import type { FrameProps } from '../frame-props';
import { isOpenTo, mainEntries, setupEntries } from '../nav-entries';
import { goKeys, newRecords } from '../shortcuts/frame-keys';
import { useSignOut } from '../sign-out';
import { matchEntries, type PaletteEntry, type PaletteGroup } from './palette-entries';
import { readRecent } from './recent-records';
import { recordKinds, recordOfPath } from './record-links';

const pageEntries: readonly PaletteEntry[] = [...mainEntries, ...setupEntries].map(({ href, label, icon }) => ({
  id: `page:${href}`,
  title: label,
  icon,
  // The path holds the name of the API, such as outbox.
  keywords: `go to open page ${href.slice(1)}`,
  keys: goKeys(href),
  href,
}));

/** The records that this role may create. */
function newEntries(role: TeamRole): PaletteEntry[] {
  return newRecords
    .filter(({ needs }) => isAllowed(role, needs))
    .map(({ meaning, href }) => ({ id: `new:${href}`, title: meaning, icon: Plus, keywords: 'new add create', href }));
}

/** Asks the server for the public blog's address and copies it. */
function useCopyBlogAddress(): () => void {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  return async () => {
    try {
      const { siteUrl } = await queryClient.fetchQuery(trpc.blog.overview.queryOptions({}));
      if (await copyText(siteUrl)) toast.success(`Copied ${siteUrl}`);
      else toast.error(`Couldn’t copy. The blog is at ${siteUrl}`);
    } catch (error) {
      toast.failure('Couldn’t get the blog’s URL.', error);
    }
  };
}

function useSwitchEntries({ account, identity }: FrameProps): PaletteEntry[] {
  const trpc = useTRPC();
  const switchIdentity = useMutation(
    trpc.account.switchIdentity.mutationOptions({
      // A full load of the section's first page, as in the identity switcher.
      onSuccess: () => window.location.assign(`/${window.location.pathname.split('/')[1] ?? ''}`),
      onError: (error) => toast.failure('Couldn’t switch business.', error),
    }),
  );
  return account.identities
    .filter(({ id }) => id !== identity.id)
    .map(({ id, displayName, handle }) => ({
      id: `identity:${id}`,
      title: `Switch to ${displayName || handle}`,
      icon: Building2,
      keywords: `business identity ${handle}`,
      run: () => leavePage(() => switchIdentity.mutate({ identityId: id })),
    }));
}

/** Actions available on every page. */
function usePaletteActions(frame: FrameProps): PaletteEntry[] {
  const { setTheme } = useTheme();
  const hasCalls = pageCallsOf(usePathname()) !== null;
  const copyBlogAddress = useCopyBlogAddress();
  const signOut = useSignOut();
  const switchEntries = useSwitchEntries(frame);
  const role = useRole() ?? frame.identity.role;
  return [
    ...newEntries(role),
    ...switchEntries,
    ...(hasCalls
      ? [
          {
            id: 'api-drawer',
            title: 'API calls for this page',
            icon: Braces,
            keywords: 'curl typescript rest',
            run: () => openFrameOverlay('api'),
          },
        ]
      : []),
    {
      id: 'docs',
      title: 'API reference',
      icon: BookOpen,
      keywords: 'open docs documentation rest',
      href: '/docs',
      isOutside: true,
    },
    { id: 'copy-blog', title: 'Copy blog URL', icon: Copy, keywords: 'public url link', run: copyBlogAddress },
    {
      id: 'shortcuts',
      title: 'Keyboard shortcuts',
      icon: Keyboard,
      keywords: 'keys help',
      keys: '?',
      run: () => openFrameOverlay('shortcuts'),
    },
    ...themeChoices.map(({ value, label, icon }) => ({
      id: `theme:${value}`,
      title: `Theme: ${label.toLowerCase()}`,
      icon,
      keywords: 'change theme mode appearance',
      run: () => setTheme(value),
    })),
    {
      id: 'sign-out',
      title: 'Sign out',
      icon: LogOut,
      keywords: 'log out leave',
      run: () => leavePage(signOut),
    },
  ];
}

const pauseMilliseconds = 150;

interface RecordSearch {
  /** The results for the typed text, or for the previous text while a search is pending. */
  found: FoundRecords | undefined;
  isSearching: boolean;
  /** True if results are missing because the server did not answer in time. */
  isIncomplete: boolean;
}

/** Searches records after a pause in typing. */
function useRecordSearch(typed: string): RecordSearch {
  const trpc = useTRPC();
  const query = typed.trim().slice(0, searchMaximum);
  const settled = useDebounced(query, pauseMilliseconds);
  const isWorthwhile = query.length >= searchMinimum;
  const search = useQuery(
    trpc.search.records.queryOptions(settled.length >= searchMinimum ? { query: settled } : skipToken, {
      placeholderData: keepPreviousData,
      trpc: { abortOnUnmount: true },
    }),
  );
  return {
    found: isWorthwhile ? search.data : undefined,
    isSearching: isWorthwhile && (query !== settled || search.isFetching),
    isIncomplete: isWorthwhile && (search.isError || (search.data?.late.length ?? 0) > 0),
  };
}

function recentEntries(identityId: string, pathname: string): PaletteEntry[] {
  const here = recordOfPath(pathname)?.id;
  return readRecent(identityId)
    .filter(({ id }) => id !== here)
    .map((record) => {
      const { icon, href, unnamed } = recordKinds[record.kind];
      return { id: `recent:${record.id}`, title: record.title || unnamed, icon, href: href(record.id), record };
    });
}

function recordEntry(kind: RecordKind, { id, title, detail, at }: FoundRecord, locale: string): PaletteEntry {
  const { icon, href, unnamed } = recordKinds[kind];
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
    const { label, listHref } = recordKinds[kind];
    const entries = records.map((record) => recordEntry(kind, record, locale));
    // The other lists look for the text as it is, not for its words.
    if (hasMore && listHref && (kind === 'customer' || searchWords(query).length === 1))
      entries.push({ id: `all:${kind}`, title: `All matching ${label.toLowerCase()}`, icon: List, href: listHref(query) });
    return { label, entries };
  });
}

/** Filters previous results to those whose name still has the typed words; nothing else may be opened. */
function stillMatching(groups: readonly PaletteGroup[], query: string): PaletteGroup[] {
  const wanted = searchWords(query);
  return groups
    .map(({ label, entries }) => ({
      label,
      entries: entries.filter(({ title, record }) => record && wanted.every((word) => title.toLowerCase().includes(word))),
    }))
    .filter(({ entries }) => entries.length > 0);
}

/** Links to the lists, filtered by the same text. */
function listEntries(query: string): PaletteEntry[] {
  return Object.entries(recordKinds).flatMap(([kind, { label, icon, listHref }]) =>
    listHref ? [{ id: `list:${kind}`, title: `Search ${label.toLowerCase()} for “${query}”`, icon, href: listHref(query) }] : [],
  );
}

interface PaletteGroups extends Omit<RecordSearch, 'found'> {
  groups: PaletteGroup[];
  /** How many entries match the text. */
  matches: number;
}

/** The palette's groups: recent records and pages without text, matches with text. */
export function usePaletteGroups(frame: FrameProps, text: string): PaletteGroups {
  const pathname = usePathname();
  const locale = useViewerLocale();
  const actions = usePaletteActions(frame);
  const role = useRole();
  const pages = pageEntries.filter(({ href }) => isOpenTo(role, href ?? ''));
  const [recent] = useState(() => recentEntries(frame.identity.id, pathname));
  const { found, ...search } = useRecordSearch(text);
  const query = text.trim();
  const records = useMemo(() => (found ? recordGroups(found, query, locale) : []), [found, query, locale]);
  if (query === '') {
    const groups = [
      { label: 'Recent', entries: recent },
      { label: 'Pages', entries: pages },
      { label: 'Actions', entries: actions },
    ];
    return { groups: groups.filter(({ entries }) => entries.length > 0), matches: 0, ...search };
  }
  const matching = matchEntries([...pages, ...actions], query);
  const shown = search.isSearching ? stillMatching(records, query) : records;
  const groups = [...(matching.length > 0 ? [{ label: 'Pages and actions', entries: matching }] : []), ...shown];
  const matches = groups.reduce((sum, { entries }) => sum + entries.filter(({ id }) => !id.startsWith('all:')).length, 0);
  if (matches > 0 || search.isSearching) return { groups, matches, ...search };
  return { groups: [{ label: 'Search in', entries: listEntries(query) }], matches, ...search };
}
