import { createContext, use } from 'react';
import type { InboxSearch, NewEmailStart } from '../search-params';
import type { Selection } from './selection';
import type { ConversationListState } from './use-conversation-list';

/** The state shared by the list and the thread. */
export interface Inbox {
  search: InboxSearch;
  list: ConversationListState;
  selection: Selection;
  /** The conversation that is open or loading. */
  openId: string | null;
  /** The draft of the new email that is shown. */
  openDraftId: string | null;
  /** The conversation whose thread is shown. */
  shownId: string | null;
  /** The filtered list without an open conversation. */
  listHref: string;
  /** A conversation beside the filtered list. */
  hrefOf: (conversationId: string) => string;
  open: (conversationId: string) => void;
  /** The page of a new email beside the filtered list. */
  newEmailHref: (start?: NewEmailStart) => string;
  /** Opens a new email. */
  write: (start?: NewEmailStart) => void;
  /** Returns to the list. */
  close: () => void;
  /** Opens the next (1) or previous (-1) conversation of the list. */
  walk: (step: 1 | -1) => void;
  /** Whether there is a next (1) or previous (-1) one. */
  canWalk: (step: 1 | -1) => boolean;
  /** Opens the one after a conversation that is leaving the list; on a phone, returns to the list. */
  openNext: (conversationId: string) => void;
}

export const InboxContext = createContext<Inbox | null>(null);

export function useInbox(): Inbox {
  const inbox = use(InboxContext);
  if (!inbox) throw new Error('useInbox belongs inside of InboxFrame.');
  return inbox;
}
