import type { LucideIcon } from 'lucide-react';
import type { RecentRecord } from './recent-records';

/** One row of the palette: a link or an action. */
export interface PaletteEntry {
  id: string;
  title: string;
  /** Distinguishes it from others of the same name. */
  detail?: string;
  icon: LucideIcon;
  /** Further search terms. */
  keywords?: string;
  /** Keyboard shortcut for the same, shown as a hint. */
  keys?: string | undefined;
  /** Link target; can also be opened in another tab. */
  href?: string;
  /** True for a link that needs a full page load. */
  isOutside?: boolean;
  /** The action, for an entry without a link. */
  run?: () => void;
  /** The record it links to, stored as a recent one. */
  record?: RecentRecord;
}

export interface PaletteGroup {
  label: string;
  entries: readonly PaletteEntry[];
}

/** Splits a text into words without case and accents. */
function wordsOf(text: string): string[] {
  return text
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
}

/** Ranks an entry: 0 if its title begins with the query, 1 if words of the title do, 2 with its keywords; null if not. */
function rankOf(entry: PaletteEntry, typed: readonly string[]): number | null {
  const title = wordsOf(entry.title);
  const beginsOne = (words: readonly string[]) => typed.every((part) => words.some((word) => word.startsWith(part)));
  if (title.join(' ').startsWith(typed.join(' '))) return 0;
  if (beginsOne(title)) return 1;
  return beginsOne([...title, ...wordsOf(entry.keywords ?? '')]) ? 2 : null;
}

/** Entries in which every typed word is the beginning of a word, best first; equal ranks keep their order. */
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

/** The index after an arrow key, wrapping around; null for any other key. */
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
