'use client';

import { createContext, use } from 'react';
import type { InboxSearch } from '../search-params';
import type { ConversationListState } from './use-conversation-list';

/** What list and thread know of each other. */
export interface Inbox {
  search: InboxSearch;
  list: ConversationListState;
  /** The conversation that is open, or about to be. */
  openId: string | null;
  /** The one whose thread is on the page. */
  shownId: string | null;
  /** The list as it is narrowed down, with no conversation open. */
  listHref: string;
  /** A conversation beside the list as it is narrowed down. */
  hrefOf: (conversationId: string) => string;
  open: (conversationId: string) => void;
  /** Back to the list. */
  close: () => void;
  /** To the next (1) or previous (-1) conversation of the list. */
  walk: (step: 1 | -1) => void;
  /** On to the next conversation, once the open one has left the list; on a phone, back to the list. */
  goOn: () => void;
}

export const InboxContext = createContext<Inbox | null>(null);

export function useInbox(): Inbox {
  const inbox = use(InboxContext);
  if (!inbox) throw new Error('useInbox belongs inside of InboxFrame.');
  return inbox;
}
