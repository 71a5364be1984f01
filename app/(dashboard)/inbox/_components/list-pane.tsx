'use client';

import { useDraftNames } from '@/app/_kit/draft-scope';
import { ErrorState } from '@/app/_kit/error-state';
import { searchesAllFolders } from '../search-params';
import { ConversationRow } from './conversation-row';
import { EmptyList } from './empty-list';
import { useInbox } from './inbox-context';
import { KeyboardHints } from './keyboard-hints';
import { ListFilters } from './list-filters';
import { ListSkeleton } from './list-skeleton';
import { MoreConversations } from './more-conversations';
import { ViewTabs } from './view-tabs';

/** The conversations, with what narrows them down. */
export function ListPane({ unread }: { unread: number }) {
  const { search, list, openId, shownId } = useInbox();
  const drafts = useDraftNames('reply.');
  const Heading = shownId === null ? 'h1' : 'h2';
  return (
    <>
      <div className="border-b border-border px-4 pt-4 sm:px-6 lg:px-4">
        <div className="mb-3 flex h-8 items-center justify-between gap-2">
          <Heading className="text-title font-semibold tracking-tight">Inbox</Heading>
          <KeyboardHints />
        </div>
        <ListFilters />
        <ViewTabs unread={unread} />
      </div>
      <div className="min-h-0 bg-surface max-lg:border-b max-lg:border-border lg:flex-1 lg:overflow-y-auto">
        {list.error && (!list.isLoaded || list.isStale) ? (
          <ErrorState error={list.error} onRetry={list.retry} title="The conversations could not be loaded" />
        ) : !list.isLoaded ? (
          <ListSkeleton />
        ) : (
          <>
            {searchesAllFolders(search) && list.rows.length > 0 && (
              <p className="border-b border-separator px-4 py-1.5 text-xs text-muted sm:max-lg:px-6">
                Results from all folders, archived and spam included.
              </p>
            )}
            {list.rows.length > 0 && (
              <ul
                data-conversations
                aria-label="Conversations"
                aria-busy={list.isStale}
                className={`transition-opacity duration-150 ${list.isStale ? 'opacity-60 delay-150' : ''}`}
              >
                {list.rows.map((conversation) => (
                  <ConversationRow
                    key={conversation.id}
                    conversation={conversation}
                    isOpen={conversation.id === openId}
                    hasDraft={drafts.has(conversation.id)}
                  />
                ))}
              </ul>
            )}
            {list.rows.length === 0 && !list.hasMore && <EmptyList />}
            <MoreConversations />
          </>
        )}
      </div>
    </>
  );
}
