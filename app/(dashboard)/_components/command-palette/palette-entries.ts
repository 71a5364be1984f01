import type { LucideIcon } from 'lucide-react';
import type { RecentRecord } from './recent-records';

/** One line of the palette: somewhere to go, or something to do. */
export interface PaletteEntry {
  id: string;
  title: string;
  /** Tells it from others of the same name. */
  detail?: string;
  icon: LucideIcon;
  /** Further words under which it is found. */
  keywords?: string;
  /** Keys that do the same, for those who want to be faster the next time. */
  keys?: string | undefined;
  /** Where it leads; another tab can open that too. */
  href?: string;
  /** True for what only a full load opens. */
  isOutside?: boolean;
  /** What it does, where it leads nowhere. */
  run?: () => void;
  /** The record it stands for, to be remembered. */
  record?: RecentRecord;
}

export interface PaletteGroup {
  label: string;
  entries: readonly PaletteEntry[];
}

/** Words without case and accents, as people type them. */
function wordsOf(text: string): string[] {
  return text
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
}

/** How well an entry fits: 0 where its title begins with the query, 1 where words of the title do, 2 with its keywords; null if not. */
function rankOf(entry: PaletteEntry, typed: readonly string[]): number | null {
  const title = wordsOf(entry.title);
  const beginsOne = (words: readonly string[]) => typed.every((part) => words.some((word) => word.startsWith(part)));
  if (title.join(' ').startsWith(typed.join(' '))) return 0;
  if (beginsOne(title)) return 1;
  return beginsOne([...title, ...wordsOf(entry.keywords ?? '')]) ? 2 : null;
}

/** Entries of which every word that was typed begins a word, best first; in their own order where they fit equally well. */
export function matchEntries(entries: readonly PaletteEntry[], query: string): PaletteEntry[] {
  const typed = wordsOf(query);
  if (typed.length === 0) return [];
  return entries
    .flatMap((entry) => {
      const rank = rankOf(entry, typed);
      return rank === null ? [] : [{ entry, rank }];
    })
    .sort((a, b) => a.rank - b.rank)
    .map(({ entry }) => entry);
}

/** The index after a key, around the end; null for a key that does not move. */
export function movedIndex(key: string, index: number, count: number): number | null {
  if (count === 0) return null;
  switch (key) {
    case 'ArrowDown':
      return (index + 1) % count;
    case 'ArrowUp':
      return (index - 1 + count) % count;
    case 'PageDown':
      return Math.min(count - 1, index + 8);
    case 'PageUp':
      return Math.max(0, index - 8);
    case 'Home':
      return 0;
    case 'End':
      return count - 1;
    default:
      return null;
  }
}
