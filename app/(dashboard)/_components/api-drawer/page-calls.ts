/** Maps each page to the REST operations behind it. Their names and shapes come from the API document. */

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

export interface PageCalls {
  selection: CallSelection;
  /** Values that the page's address gives for the record, by parameter name. */
  ids: Readonly<Record<string, string>>;
}

interface PageEntry {
  /** With `:name` for a segment that is the value of that parameter. */
  path: string;
  selection: CallSelection;
}

/** A list page and its record pages. */
function resource(path: string, tag: string, record: string, besides: readonly string[] = []): PageEntry[] {
  return [
    { path, selection: { tag, record, isAboutRecord: false, besides } },
    { path: `${path}/:${record}`, selection: { tag, record, isAboutRecord: true, besides } },
  ];
}

const eventRecord = { tag: 'Calendar', record: 'eventId' };

/** The first match wins. */
const pages: readonly PageEntry[] = [
  { path: '/', selection: { operations: ['conversations-list', 'calendar-list', 'customers-list', 'usage-stats'] } },
  { path: '/customers/new', selection: { operations: ['customers-create', 'customers-byContact'] } },
  ...resource('/customers', 'Customers', 'id'),
  ...resource('/agents', 'Agents', 'agentId'),
  ...resource('/inbox', 'Conversations', 'conversationId', ['conversations-attachment']),
  { path: '/posts/new', selection: { operations: ['blog-create', 'blog-uploadImage'] } },
  ...resource('/posts', 'Blog', 'postId'),
  { path: '/calendar', selection: { ...eventRecord, isAboutRecord: false } },
  { path: '/usage', selection: { tag: 'Usage', isAboutRecord: false } },
  { path: '/identity', selection: { tag: 'Identity', isAboutRecord: false } },
  { path: '/settings/team', selection: { operations: ['members-list'] } },
  { path: '/settings/events', selection: { tag: 'Events', isAboutRecord: false } },
  ...resource('/settings/webhooks', 'Webhooks', 'webhookId'),
];

const ownersPages = ['/outbox', '/quarantine', '/api-keys', '/audit', '/settings'];

/** Whether a page, or its parent, is for the owner only: API keys can do nothing there. */
export function isOwnersPage(pathname: string): boolean {
  return pageCallsOf(pathname) === null && ownersPages.some((page) => pathname === page || pathname.startsWith(`${page}/`));
}

function matchPath(pattern: string, pathname: string): Record<string, string> | null {
  const [wanted, given] = [pattern.split('/'), pathname.split('/')];
  if (wanted.length !== given.length) return null;
  const ids: Record<string, string> = {};
  for (const [index, part] of wanted.entries()) {
    const value = given[index] ?? '';
    if (part.startsWith(':')) ids[part.slice(1)] = decodeURIComponent(value);
    else if (part !== value) return null;
  }
  return ids;
}

/** The calls behind a page; null if it has none. With an event open, those of the event. */
export function pageCallsOf(pathname: string, search?: URLSearchParams): PageCalls | null {
  for (const { path, selection } of pages) {
    const ids = matchPath(path, pathname);
    if (ids === null) continue;
    const eventId = path === '/calendar' ? search?.get('event') : null;
    if (eventId) return { selection: { ...eventRecord, isAboutRecord: true }, ids: { eventId } };
    return { selection, ids };
  }
  return null;
}
