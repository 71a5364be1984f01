import type { LucideIcon } from 'lucide-react';
import type { LiveCounts } from '@/server/features/conversations/conversation.schema';
import type { RecordKind } from '@/server/features/search/search.schema';
import type { Permission } from '@/server/platform/auth/scopes.schema';

/** What a feature adds to the dashboard, declared in the `section.ts` of its folder and listed in `sections.ts` (docs/adr/0035). */
export interface Section {
  /** Its page in the navigation. */
  entry: NavEntry;
  /** Pages of it that not every role may open, and what each needs. With what is below them; the first match wins. */
  needs?: readonly (readonly [path: string, needs: Permission])[];
  creates?: NewRecord;
  /** Records of it that are found by searching, and open by themselves. */
  records?: Partial<Record<RecordKind, RecordLinks>>;
  /** The REST operations behind its pages; the first match wins. Pages without any are for people only. */
  calls?: readonly PageEntry[];
}

export interface NavEntry {
  href: string;
  label: string;
  icon: LucideIcon;
  /** Pages of daily use come first; others are for setup and now and then. */
  group: 'main' | 'setup';
  /** The letter after `g` that opens it. */
  letter?: string;
  badge?: NavBadge;
  /** True for an entry that is listed only while its badge counts something, or while its page is open. */
  isOccasional?: boolean;
}

/** A count shown beside an entry unless it is 0. */
export interface NavBadge {
  count: keyof Pick<LiveCounts, 'unread' | 'failedMails' | 'quarantined'>;
  /** Unit for screen readers: "4 unread". */
  unit: string;
  /** `danger` if it requires action. */
  tone: 'plain' | 'danger';
}

/** A record that can be created, by the palette or with `n`. */
export interface NewRecord {
  meaning: string;
  href: string;
  /** The page, including those below it, on which `n` creates the record. */
  on: string;
  needs: Permission;
}

export interface RecordLinks {
  /** The plural, as a heading. */
  label: string;
  icon: LucideIcon;
  /** Label of a record without a name. */
  unnamed: string;
  href: (id: string) => string;
  /** The list of all matches, if there is one. */
  listHref?: (query: string) => string;
}

/** Selects operations by common properties, so that a new one appears automatically. */
export type CallSelection =
  | {
      tag: string;
      /** The parameter that identifies one record of this kind. */
      record?: string;
      /** Whether to select the operations about this record or the others. */
      isAboutRecord: boolean;
      /** Operations that belong to a record's page although no parameter names the record. */
      besides?: readonly string[];
    }
  | { operations: readonly string[] };

export interface PageEntry {
  /** With `:name` for a segment that is the value of that parameter. */
  path: string;
  selection: CallSelection;
}

/** The calls of a list page and its record pages. */
export function callsOfRecords(path: string, tag: string, record: string, besides: readonly string[] = []): PageEntry[] {
  return [
    { path, selection: { tag, record, isAboutRecord: false, besides } },
    { path: `${path}/:${record}`, selection: { tag, record, isAboutRecord: true, besides } },
  ];
}

/** The address of a list of what matches a text. */
export const matchesAt = (path: string) => (query: string) => `${path}?q=${encodeURIComponent(query)}`;
