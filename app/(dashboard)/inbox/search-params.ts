import { createLoader, createSerializer, type inferParserType, parseAsString, parseAsStringLiteral } from 'nuqs/server';
import { keysOf } from '@/app/_kit/keys-of';
import type { ConversationRecord } from '@/server/features/conversations/conversation.schema';
import { statusLabels } from './_components/conversation-labels';

/** The sides from which one may look at the conversations. */
export const inboxViews = ['inbox', 'unread', 'waiting', 'archived', 'spam'] as const;

export type InboxView = (typeof inboxViews)[number];

/** What the address of the inbox says. */
export const inboxSearchParams = {
  view: parseAsStringLiteral(inboxViews).withDefault('inbox'),
  status: parseAsStringLiteral(keysOf(statusLabels)),
  agent: parseAsString.withDefault(''),
  q: parseAsString.withDefault(''),
};

export type InboxSearch = inferParserType<typeof inboxSearchParams>;

export const loadInboxSearch = createLoader(inboxSearchParams);

/** The address's query for a search; defaults are left out. */
export const inboxSearchQuery = createSerializer(inboxSearchParams);

/** The longest search the API takes. */
export const searchMaximum = 200;

/** Pages that the list fetches at most; to look further back, search. */
export const pagesMaximum = 10;

const uuidPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Whether anything but the view narrows the list. */
export function isNarrowed({ view, status, agent, q }: InboxSearch): boolean {
  return (status !== null && view !== 'waiting') || agent !== '' || q !== '';
}

/** A search from the inbox looks in all folders; from the other views, in what they show. */
export const searchesAllFolders = ({ view, q }: Pick<InboxSearch, 'view' | 'q'>) => view === 'inbox' && q !== '';

/** Whether a conversation belongs to a list: its row goes when it is archived, before the server answers. */
export function belongsTo(
  search: Pick<InboxSearch, 'view' | 'q'>,
  { isArchived, isSpam }: Pick<ConversationRecord, 'isArchived' | 'isSpam'>,
): boolean {
  const { view } = search;
  if (searchesAllFolders(search)) return true;
  if (view === 'spam') return isSpam;
  return !isSpam && isArchived === (view === 'archived');
}

/** The list call behind an address, without its offset. Server and browser both use it, so that the browser finds what was prefetched. */
export function listInput(search: InboxSearch) {
  const { view, status, agent, q } = search;
  const wanted = view === 'waiting' ? 'waiting_human' : status;
  return {
    limit: 30,
    ...(view === 'unread' ? { isRead: false } : {}),
    ...(view === 'archived' || view === 'spam' ? { folder: view } : {}),
    ...(searchesAllFolders(search) ? { isArchived: true, isSpam: true } : {}),
    ...(wanted ? { status: wanted } : {}),
    ...(uuidPattern.test(agent) ? { agentId: agent } : {}),
    ...(q ? { query: q.slice(0, searchMaximum) } : {}),
  };
}
