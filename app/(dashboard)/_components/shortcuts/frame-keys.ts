import type { PageKeys } from '@/app/_kit/page-keys';
import type { NewRecord } from '../section';
import { sections } from '../sections';

/** The keys that open a page, as they are listed; undefined for a page without any. */
export function goKeys(href: string): string | undefined {
  const letter = sections.find(({ entry }) => entry.href === href)?.entry.letter;
  return letter === undefined ? undefined : `g ${letter}`;
}

/** `g` and a letter opens a page of the dashboard; the commands are addresses. */
export const navigationKeys: PageKeys = Object.fromEntries(
  sections.flatMap(({ entry: { href, label, letter } }) =>
    letter === undefined ? [] : [[href, { keys: [`g ${letter}`], meaning: label }]],
  ),
);

export type FrameCommand = 'search' | 'undo' | 'help';

/** Shortcuts that work on every page. */
export const frameKeys: PageKeys<FrameCommand> = {
  search: { keys: ['Mod+k'], meaning: 'Search and commands', isAnywhere: true },
  undo: { keys: ['z'], meaning: 'Undo last action' },
  help: { keys: ['?'], meaning: 'Show shortcuts' },
};

/** The records that can be created. */
export const newRecords: readonly NewRecord[] = sections.flatMap(({ creates = [] }) => creates);

/** What `n` creates on a page; the calendar has its own `n`. */
export function newRecordOf(pathname: string): NewRecord | undefined {
  return newRecords.find(({ on }) => pathname === on || pathname.startsWith(`${on}/`));
}
