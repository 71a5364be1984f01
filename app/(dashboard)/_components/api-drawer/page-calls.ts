/** Which operations of the REST API are behind which page. What they are called and look like is the API document's to say. */

/** Operations by what they have in common, so that a new one is shown without anyone remembering. */
export type CallSelection =
  | {
      tag: string;
      /** The parameter that names one record of this kind. */
      record?: string;
      /** Those that ask for this very record, or those that do not. */
      isAboutRecord: boolean;
      /** Operations that belong to a record's page, though they name the record in no parameter. */
      besides?: readonly string[];
    }
  | { operations: readonly string[] };

export interface PageCalls {
  selection: CallSelection;
  /** What the page's address says of the record: values by the parameter's name. */
  ids: Readonly<Record<string, string>>;
}

interface PageEntry {
  /** With `:name` for the segment that is the value of that parameter. */
  path: string;
  selection: CallSelection;
}

/** A list and the pages of its records. */
function resource(path: string, tag: string, record: string, besides: readonly string[] = []): PageEntry[] {
  return [
    { path, selection: { tag, record, isAboutRecord: false, besides } },
    { path: `${path}/:${record}`, selection: { tag, record, isAboutRecord: true, besides } },
  ];
}

const eventRecord = { tag: 'Calendar', record: 'eventId' };

/** The first that fits counts. */
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
];

const ownersPages = ['/outbox', '/quarantine', '/api-keys', '/audit', '/settings'];

/** Whether a page, or the one above it, is for the owner alone: no key can do anything there. */
export function isOwnersPage(pathname: string): boolean {
  return ownersPages.some((page) => pathname === page || pathname.startsWith(`${page}/`));
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

/** The calls behind a page; null for one that has none. With an event open, those of the event. */
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
