import { createLoader, createSerializer, type inferParserType, parseAsString, parseAsStringLiteral } from 'nuqs/server';
import { keysOf } from '@/app/_kit/keys-of';
import { isUuid } from '@/app/_kit/uuid';
import type { ConversationRecord } from '@/server/features/conversations/conversation.schema';
import { statusLabels } from './_components/conversation-labels';

export const inboxViews = ['inbox', 'unread', 'waiting', 'drafts', 'scheduled', 'snoozed', 'archived', 'spam', 'trash'] as const;

export type InboxView = (typeof inboxViews)[number];

/** Search parameters of the inbox. */
export const inboxSearchParams = {
  view: parseAsStringLiteral(inboxViews).withDefault('inbox'),
  status: parseAsStringLiteral(keysOf(statusLabels)),
  agent: parseAsString.withDefault(''),
  label: parseAsString.withDefault(''),
  /** `me`, `none`, or the id of a member or an agent. */
  assignee: parseAsString.withDefault(''),
  /** Null for the best match first in a search, and else the newest. */
  sort: parseAsStringLiteral(['newest', 'waiting']),
  q: parseAsString.withDefault(''),
};

export type InboxSearch = inferParserType<typeof inboxSearchParams>;

export const loadInboxSearch = createLoader(inboxSearchParams);

/** The query string of a search; defaults are left out. */
export const inboxSearchQuery = createSerializer(inboxSearchParams);

/** The page of a new email, in the place of a conversation. */
export const newEmailSegment = 'new';

/** A new email: its draft, the message that it forwards, or its recipients as they would be typed. */
export interface NewEmailStart {
  draft?: string;
  forward?: string;
  to?: string;
}

const startParams = { draft: parseAsString, forward: parseAsString, to: parseAsString };
const newEmailSearchParams = { ...inboxSearchParams, ...startParams };

const newEmailQuery = createSerializer(newEmailSearchParams);

export const loadNewEmailSearch = createLoader(newEmailSearchParams);

/** The address of a new email. */
export function newEmailPath(start: NewEmailStart, search: Partial<InboxSearch> = {}): string {
  return `/inbox/${newEmailSegment}${newEmailQuery({ ...search, ...start })}`;
}

/** The longest search that the API accepts. */
export const searchMaximum = 200;

/** The maximum number of pages the list loads; older conversations are found by search. */
export const pagesMaximum = 10;

/** Whether a filter besides the view is set. */
export function isNarrowed({ view, status, agent, label, assignee, q }: InboxSearch): boolean {
  return (status !== null && view !== 'waiting') || [agent, label, assignee, q].some((filter) => filter !== '');
}

/** A search from the inbox covers all folders but the trash; one from another view only that view. */
export const searchesAllFolders = ({ view, q }: Pick<InboxSearch, 'view' | 'q'>) => view === 'inbox' && q !== '';

/** Whether a conversation belongs to a list: its row disappears when it is archived or deleted, before the server responds. */
export function belongsTo(
  search: Pick<InboxSearch, 'view' | 'sort' | 'q'>,
  conversation: Pick<ConversationRecord, 'isArchived' | 'isSpam' | 'isTrashed' | 'snoozedUntil' | 'waitingSince'>,
): boolean {
  const { view, sort } = search;
  const { isArchived, isSpam, isTrashed, snoozedUntil, waitingSince } = conversation;
  if (view === 'drafts' || view === 'scheduled' || (sort === 'waiting' && waitingSince === null)) return false;
  if (isTrashed || view === 'trash') return isTrashed && view === 'trash';
  if (searchesAllFolders(search)) return true;
  if (view === 'spam') return isSpam;
  if (view === 'snoozed') return !isSpam && snoozedUntil !== null;
  return !isSpam && isArchived === (view === 'archived');
}

const isFolder = (view: InboxView) => view === 'snoozed' || view === 'archived' || view === 'spam' || view === 'trash';

/**
 * The list request of an address, without its offset. Used by server and browser, so that the browser finds the prefetched
 * query.
 */
export function listInput(search: InboxSearch) {
  const { view, status, agent, label, assignee, sort, q } = search;
  const wanted = view === 'waiting' ? 'waiting_human' : status;
  return {
    limit: 30,
    ...(view === 'unread' ? { isRead: false } : {}),
    ...(isFolder(view) ? { folder: view } : {}),
    ...(searchesAllFolders(search) ? { isArchived: true, isSpam: true } : {}),
    ...(wanted ? { status: wanted } : {}),
    ...(sort === 'waiting' ? { sort } : sort === null && q ? { sort: 'relevance' as const } : {}),
    ...(isUuid(agent) ? { agentId: agent } : {}),
    ...(isUuid(label) ? { labelId: label } : {}),
    ...(['me', 'none'].includes(assignee) || isUuid(assignee) ? { assignee } : {}),
    ...(q ? { query: q.slice(0, searchMaximum) } : {}),
  };
}
