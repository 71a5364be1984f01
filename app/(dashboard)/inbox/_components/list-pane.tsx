import { useQuery } from '@tanstack/react-query';
import { Keyboard, ListChecks } from 'lucide-react';
import { useQueryStates } from 'nuqs';
import { type MouseEvent, useEffect, useEffectEvent, useMemo, useRef } from 'react';
import { Button } from '@/app/_kit/button';
import { errorFacts } from '@/app/_kit/error-facts';
import { ErrorState } from '@/app/_kit/error-state';
import { IconButton } from '@/app/_kit/icon-button';
import { LoadMore } from '@/app/_kit/load-more';
import { onDemandComponent } from '@/app/_kit/overlay/load-on-demand';
import { isPlainClick } from '@/app/_kit/plain-click';
import { scrollToMiddle } from '@/app/_kit/scroll-to-middle';
import { useDraftNames } from '@/app/_kit/use-stored-drafts';
import { useTRPC } from '@/app/_trpc/client';
import { openFrameOverlay } from '../../_components/frame-overlay';
import { draftsInput, scheduledInput } from '../drafts-input';
import { type InboxView, inboxSearchParams, inboxSearchQuery, inboxViews, searchesAllFolders } from '../search-params';
import { statusLabels } from './conversation-labels';
import { ConversationRow } from './conversation-row';
import { replyDrafts } from './draft-names';
import { useInbox } from './inbox-context';
import { ListFilters } from './list-filters';
import { NewEmailLink } from './new-email-link';

interface ViewCounts {
  unread: number;
  snoozed: number;
}

const DraftList = onDemandComponent(() => import('./draft-list').then((module) => module.DraftList));
const ScheduledList = onDemandComponent(() => import('./scheduled-list').then((module) => module.ScheduledList));
const EmptyList = onDemandComponent(() => import('./empty-list').then((module) => module.EmptyList));
const FolderBar = onDemandComponent(() => import('./folder-bar').then((module) => module.FolderBar));
const SelectionBar = onDemandComponent(() => import('./selection-bar').then((module) => module.SelectionBar));

/** The conversations and their filters. */
export function ListPane({ unread, snoozed }: ViewCounts) {
  const { search, list, selection, openId, shownId } = useInbox();
  const drafts = useRepliesBegun();
  const problem = list.error ? errorFacts(list.error).fields.query : undefined;
  const Heading = shownId === null ? 'h1' : 'h2';
  return (
    <>
      <div className="border-b border-border px-4 pt-4 sm:px-6 lg:px-4">
        <div className="mb-3 flex h-8 items-center justify-between gap-2">
          <Heading className="text-title font-semibold tracking-tight">Inbox</Heading>
          <div className="flex items-center gap-1">
            <KeyboardHints />
            {list.rows.length > 0 && <SelectButton />}
            <span className="floats-on-phones">
              <NewEmailLink size="sm" />
            </span>
          </div>
        </div>
        <ListFilters />
        <ViewTabs unread={unread} snoozed={snoozed} />
      </div>
      <div className="min-h-0 bg-surface max-lg:border-b max-lg:border-border lg:flex-1 lg:overflow-y-auto">
        {search.view === 'drafts' ? (
          <DraftList />
        ) : search.view === 'scheduled' ? (
          <ScheduledList />
        ) : problem ? (
          <EmptyList problem={problem} />
        ) : list.error && (!list.isLoaded || list.isStale) ? (
          <ErrorState error={list.error} onRetry={list.retry} title="Couldn’t load conversations" />
        ) : !list.isLoaded ? (
          <ListSkeleton />
        ) : (
          <>
            {selection.isSelecting && <SelectionBar />}
            {!selection.isSelecting && (search.view === 'spam' || search.view === 'trash') && list.rows.length > 0 && (
              <FolderBar folder={search.view} />
            )}
            {searchesAllFolders(search) && list.rows.length > 0 && (
              <p className="border-b border-separator px-4 py-1.5 text-xs text-muted sm:max-lg:px-6">
                Includes archived conversations and spam.
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

/** The conversations in which the member has begun a reply, on any device. */
function useRepliesBegun(): ReadonlySet<string> {
  const trpc = useTRPC();
  const { data } = useQuery(trpc.drafts.list.queryOptions(draftsInput));
  const here = useDraftNames(replyDrafts);
  return useMemo(() => new Set([...here, ...(data?.drafts.flatMap((draft) => draft.conversationId ?? []) ?? [])]), [here, data]);
}

/** Shows that the rows can be chosen. */
function SelectButton() {
  const { selection } = useInbox();
  return (
    <IconButton
      label="Select conversations"
      hint="Select"
      aria-pressed={selection.isSelecting}
      onPress={selection.isSelecting ? selection.clear : selection.begin}
    >
      <ListChecks aria-hidden className="text-muted" />
    </IconButton>
  );
}

/** Opens the list of shortcuts. Hidden on devices without a keyboard. */
function KeyboardHints() {
  return (
    <Button
      variant="ghost"
      size="sm"
      isIconOnly
      aria-label="Keyboard shortcuts"
      aria-haspopup="dialog"
      aria-keyshortcuts="?"
      className="max-lg:hidden"
      onPress={() => openFrameOverlay('shortcuts')}
    >
      <Keyboard aria-hidden className="text-muted" />
    </Button>
  );
}

const rows = [0, 1, 2, 3, 4, 5, 6];

function ListSkeleton() {
  return (
    <div role="status" aria-label="Loading conversations" className="skeleton-late">
      {rows.map((row) => (
        <div key={row} className="flex animate-pulse flex-col gap-2.5 border-b border-separator py-4 pr-4 pl-7">
          <div className="flex justify-between">
            <div className="h-3 w-2/5 rounded-sm bg-default" />
            <div className="h-3 w-14 rounded-sm bg-default" />
          </div>
          <div className="h-3 w-3/4 rounded-sm bg-default" />
          <div className="h-3 w-11/12 rounded-sm bg-default" />
        </div>
      ))}
    </div>
  );
}

/** How far before the end of the list the next page is requested. */
const prefetchMargin = '400px';

/** The end of the list: loads the next page when it comes near, and is a button for those who can't scroll. */
function MoreConversations() {
  const { list } = useInbox();
  const end = useRef<HTMLDivElement>(null);
  const { hasMore, isLoadingMore, hasFailedToLoadMore } = list;
  const loadMore = useEffectEvent(list.loadMore);

  useEffect(() => {
    if (!end.current || !hasMore || isLoadingMore || hasFailedToLoadMore) return;
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some((entry) => entry.isIntersecting)) loadMore();
      },
      { rootMargin: prefetchMargin },
    );
    observer.observe(end.current);
    return () => observer.disconnect();
  }, [hasMore, isLoadingMore, hasFailedToLoadMore]);

  if (list.isCutOff) {
    return <p className="px-4 py-3 text-center text-label text-muted">Showing the newest. Search for older conversations.</p>;
  }
  if (!hasMore) return null;
  return (
    <div ref={end} className="px-4 py-2">
      <LoadMore
        what="more conversations"
        isLoading={isLoadingMore}
        hasFailed={hasFailedToLoadMore}
        onLoadMore={list.loadMore}
        variant="ghost"
        size="sm"
      />
    </div>
  );
}

const viewLabels: Record<InboxView, string> = {
  inbox: 'Inbox',
  unread: 'Unread',
  waiting: statusLabels.waiting_human.label,
  drafts: 'Drafts',
  scheduled: 'Scheduled',
  snoozed: 'Snoozed',
  archived: 'Archived',
  spam: 'Spam',
  trash: 'Trash',
};

/** The views of the inbox. They are links, so that each has an address; other filters stay. */
function ViewTabs({ unread, snoozed }: ViewCounts) {
  const trpc = useTRPC();
  const { search } = useInbox();
  const [, setSearch] = useQueryStates(inboxSearchParams, { history: 'push' });
  const drafts = useQuery(trpc.drafts.list.queryOptions(draftsInput));
  const scheduled = useQuery(trpc.scheduledEmails.list.queryOptions(scheduledInput));
  const counts: Partial<Record<InboxView, number>> = {
    unread,
    drafts: drafts.data?.total ?? 0,
    scheduled: scheduled.data?.total ?? 0,
    snoozed,
  };
  // Where there are none, there is no need to look for them.
  const isOffered = (view: InboxView) =>
    !['drafts', 'scheduled', 'snoozed'].includes(view) || view === search.view || (counts[view] ?? 0) > 0;
  const views = inboxViews.filter(isOffered);
  const follow = (event: MouseEvent, view: InboxView) => {
    if (!isPlainClick(event)) return;
    event.preventDefault();
    void setSearch({ view });
  };
  return (
    <nav aria-label="Views" className="-mx-2 mt-2">
      <ul className="relative flex overflow-x-auto [scrollbar-width:none]">
        {views.map((view) => {
          const isCurrent = view === search.view;
          return (
            <li key={view}>
              <a
                ref={isCurrent ? scrollToMiddle : null}
                href={`/inbox${inboxSearchQuery({ ...search, view })}`}
                aria-current={isCurrent ? 'true' : undefined}
                onClick={(event) => follow(event, view)}
                className={`flex h-9 items-center gap-1 border-b-2 px-1 text-label whitespace-nowrap -outline-offset-2 max-lg:px-2 min-[87.5rem]:px-1.5 ${
                  isCurrent ? 'border-accent font-medium text-foreground' : 'border-transparent text-muted hover:text-foreground'
                }`}
              >
                {view === 'inbox' && searchesAllFolders(search) ? 'All' : viewLabels[view]}
                {(counts[view] ?? 0) > 0 && <span className="text-xs text-muted">{counts[view]}</span>}
              </a>
            </li>
          );
        })}
      </ul>
    </nav>
  );
}
