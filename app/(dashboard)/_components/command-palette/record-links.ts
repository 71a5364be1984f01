import { Bot, CalendarDays, KeyRound, type LucideIcon, Mail, Newspaper, Users } from 'lucide-react';
import { uuid } from '@/app/_kit/uuid';
import type { RecordKind } from '@/server/features/search/search.schema';

interface RecordKindEntry {
  /** The plural, as a heading. */
  label: string;
  icon: LucideIcon;
  /** Label of a record without a name. */
  unnamed: string;
  href: (id: string) => string;
  /** The list of all matches, if there is one. */
  listHref?: (query: string) => string;
}

const searched = (path: string) => (query: string) => `${path}?q=${encodeURIComponent(query)}`;

/** The pages of each kind of record. */
export const recordKinds: Record<RecordKind, RecordKindEntry> = {
  customer: {
    label: 'Customers',
    icon: Users,
    unnamed: 'Customer',
    href: (id) => `/customers/${id}`,
    listHref: searched('/customers'),
  },
  conversation: {
    label: 'Conversations',
    icon: Mail,
    unnamed: '(no subject)',
    href: (id) => `/inbox/${id}`,
    listHref: searched('/inbox'),
  },
  event: { label: 'Events', icon: CalendarDays, unnamed: 'Event', href: (id) => `/calendar?event=${id}` },
  agent: { label: 'Agents', icon: Bot, unnamed: 'Agent', href: (id) => `/agents/${id}`, listHref: searched('/agents') },
  post: { label: 'Posts', icon: Newspaper, unnamed: 'Untitled', href: (id) => `/posts/${id}`, listHref: searched('/posts') },
  apiKey: { label: 'API keys', icon: KeyRound, unnamed: 'API key', href: () => '/api-keys' },
};

const recordPages: readonly [RegExp, RecordKind][] = [
  [new RegExp(`^/customers/(${uuid})$`, 'i'), 'customer'],
  [new RegExp(`^/inbox/(${uuid})$`, 'i'), 'conversation'],
  [new RegExp(`^/agents/(${uuid})$`, 'i'), 'agent'],
  [new RegExp(`^/posts/(${uuid})$`, 'i'), 'post'],
];

/** The record a page is about; null for other pages. */
export function recordOfPath(pathname: string): { kind: RecordKind; id: string } | null {
  for (const [pattern, kind] of recordPages) {
    const id = pattern.exec(pathname)?.[1];
    if (id !== undefined) return { kind, id };
  }
  return null;
}
