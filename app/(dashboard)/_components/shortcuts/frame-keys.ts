import type { PageKeys } from '@/app/_kit/page-keys';
import { newRequest } from '@/app/_kit/use-new-request';
import type { Permission } from '@/server/platform/auth/scopes.schema';
import { mainEntries, setupEntries } from '../nav-entries';

/** The letter after `g` that opens a page. */
const pageLetters: Readonly<Record<string, string>> = {
  '/': 'h',
  '/inbox': 'i',
  '/calendar': 'c',
  '/customers': 'u',
  '/agents': 'a',
  '/posts': 'b',
  '/usage': 's',
  '/outbox': 'o',
  '/identity': 'p',
  '/api-keys': 'k',
  '/audit': 'l',
  '/settings': 't',
};

const entries = [...mainEntries, ...setupEntries].filter(({ href }) => pageLetters[href] !== undefined);

/** The keys that open a page, as they are listed; undefined for a page without any. */
export function goKeys(href: string): string | undefined {
  const letter = pageLetters[href];
  return letter === undefined ? undefined : `g ${letter}`;
}

/** `g` and a letter opens a page of the dashboard; the commands are addresses. */
export const navigationKeys: PageKeys = Object.fromEntries(
  entries.map(({ href, label }) => [href, { keys: [`g ${pageLetters[href]}`], meaning: label }]),
);

export type FrameCommand = 'search' | 'undo' | 'help';

/** Shortcuts that work on every page. */
export const frameKeys: PageKeys<FrameCommand> = {
  search: { keys: ['Mod+k'], meaning: 'Search and commands', isAnywhere: true },
  undo: { keys: ['z'], meaning: 'Undo last action' },
  help: { keys: ['?'], meaning: 'Show shortcuts' },
};

export interface NewRecord {
  meaning: string;
  href: string;
  /** The page, including those below it, on which `n` creates the record. */
  on: string;
  needs: Permission;
}

/** The records that can be created. */
export const newRecords = {
  customer: { meaning: 'New customer', href: '/customers/new', on: '/customers', needs: 'customers:write' },
  event: { meaning: 'New event', href: `/calendar?${newRequest}`, on: '/calendar', needs: 'calendar:write' },
  post: { meaning: 'New post', href: '/posts/new', on: '/posts', needs: 'blog:draft' },
  agent: { meaning: 'New agent', href: `/agents?${newRequest}`, on: '/agents', needs: 'agents:write' },
  apiKey: { meaning: 'Create API key', href: `/api-keys?${newRequest}`, on: '/api-keys', needs: 'keys:write' },
  webhook: {
    meaning: 'New webhook',
    href: `/settings/webhooks?${newRequest}`,
    on: '/settings/webhooks',
    needs: 'webhooks:write',
  },
} satisfies Record<string, NewRecord>;

/** What `n` creates on a page; the calendar has its own `n`. */
export function newRecordOf(pathname: string): NewRecord | undefined {
  return Object.values<NewRecord>(newRecords).find(({ on }) => pathname === on || pathname.startsWith(`${on}/`));
}
