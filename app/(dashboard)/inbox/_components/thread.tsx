'use client';

import { useQuery } from '@tanstack/react-query';
import dynamic from 'next/dynamic';
import { useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import { errorFacts } from '@/app/_kit/error-facts';
import { ErrorState } from '@/app/_kit/error-state';
import { LoadMore } from '@/app/_kit/load-more';
import { LocalNumber } from '@/app/_kit/local-number';
import { Dialog } from '@/app/_kit/overlay/dialog';
import { SkeletonLines } from '@/app/_kit/skeleton-lines';
import { useMedia } from '@/app/_kit/use-media';
import { usePageKeys } from '@/app/_kit/use-page-keys';
import { useGuard, usePermission } from '@/app/_kit/use-permission';
import { useTRPC } from '@/app/_trpc/client';
import { type ListPlace, listStart, placeAfter, usePages } from '@/app/_trpc/use-pages';
import type { ConversationDetail, Presence } from '@/server/features/conversations/conversation.schema';
import type { MessageRecord } from '@/server/features/conversations/message.schema';
import { useReadNotifications } from '../../_components/notifications/use-read-notifications';
import { messagesInput } from '../messages-input';
import { ContextPane } from './context-pane';
import { ConversationNotFound } from './conversation-not-found';
import { useInbox } from './inbox-context';
import { inboxKeys } from './inbox-keys';
import { Message } from './message';
import { Note } from './note';
import { presenceLine } from './presence-labels';
import { threadEntries } from './thread-entries';
import { ThreadHeader } from './thread-header';
import { useConversationActions } from './use-conversation-actions';
import { useNotes } from './use-notes';
import { usePresence } from './use-presence';
import { useUpdateConversation } from './use-update-conversation';

const Composer = dynamic(() => import('./composer').then((module) => module.Composer), {
  loading: () => <SkeletonLines shape="text" lines={2} label="Loading the reply" />,
});
const NoteComposer = dynamic(() => import('./note-composer').then((module) => module.NoteComposer), { ssr: false });

/** One conversation: messages, reply and details. */
export function Thread({ conversationId }: { conversationId: string }) {
  const trpc = useTRPC();
  const { data, error, isFetching, refetch } = useQuery(trpc.conversations.get.queryOptions({ conversationId }));
  if (error && ['not_found', 'invalid_request'].includes(errorFacts(error).code)) return <ConversationNotFound />;
  if (data) return <LoadedThread conversation={data} conversationId={conversationId} />;
  if (error && !isFetching) {
    return <ErrorState error={error} onRetry={() => void refetch()} title="Couldn’t load the conversation" />;
  }
  return (
    <div className="p-6">
      <SkeletonLines shape="text" lines={8} label="Loading the conversation" />
    </div>
  );
}

interface LoadedThreadProps {
  conversation: ConversationDetail;
  /** The id in the address; the id of a merged conversation redirects to the one it became part of. */
  conversationId: string;
}

function LoadedThread({ conversation, conversationId }: LoadedThreadProps) {
  // Tailwind's `xl`, from which the details fit beside the thread.
  const hasRoom = useMedia('(width >= 80rem)');
  const [isContextOpen, setIsContextOpen] = useState(true);
  const [isDialogOpen, setIsDialogOpen] = useState(false);
  const [focusSignal, setFocusSignal] = useState(0);
  const [isWritingNote, setIsWritingNote] = useState(false);
  const [isAnswering, setIsAnswering] = useState(false);
  const others = usePresence(conversation.id, isAnswering ? 'answering' : 'viewing');
  const actions = useConversationActions(conversation);
  const guard = useGuard('conversations:write');
  const guardReply = useGuard('conversations:send');
  const reply = () => setFocusSignal((signal) => signal + 1);
  const { selection } = useInbox();
  const own = {
    archive: guard(actions.toggleArchived),
    spam: guard(actions.toggleSpam),
    trash: guard(actions.toggleTrashed),
    unread: guard(() => actions.markUnread()),
  };
  usePageKeys('Inbox', inboxKeys, {
    reply: guardReply(reply),
    note: guard(() => setIsWritingNote(true)),
    // These keys are for the chosen conversations, if there are any.
    ...(selection.ids.size > 0 ? {} : own),
  });
  return (
    <div className="flex lg:h-full">
      <div className="flex min-w-0 flex-1 flex-col">
        <ThreadHeader
          conversation={conversation}
          actions={actions}
          others={others}
          isContextShown={hasRoom ? isContextOpen : isDialogOpen}
          onToggleContext={() => (hasRoom ? setIsContextOpen(!isContextOpen) : setIsDialogOpen(true))}
        />
        <MessageList conversation={conversation} conversationId={conversationId} onUnread={actions.markUnread} />
        <div className="border-t border-border lg:max-h-[60%] lg:shrink-0 lg:overflow-y-auto">
          {isWritingNote && <NoteComposer conversationId={conversation.id} onClose={() => setIsWritingNote(false)} />}
          <AnsweringLine others={others} />
          <Composer
            conversationId={conversation.id}
            focusSignal={focusSignal}
            onNote={() => setIsWritingNote(true)}
            others={others}
            onAnswering={setIsAnswering}
          />
        </div>
      </div>
      {isContextOpen && (
        <aside
          aria-label="Details"
          className="hidden w-72 shrink-0 overflow-y-auto border-l border-border xl:block min-[87.5rem]:w-80"
        >
          {hasRoom && <ContextPane conversation={conversation} />}
        </aside>
      )}
      <Dialog isOpen={isDialogOpen && !hasRoom} onOpenChange={setIsDialogOpen} title="Details">
        <ContextPane conversation={conversation} isInDialog />
      </Dialog>
    </div>
  );
}

/** Names the members who are writing an answer, above the composer. */
function AnsweringLine({ others }: { others: Presence['others'] }) {
  return (
    <p role="status" className="px-4 pt-2 text-label text-warning-text empty:hidden">
      {presenceLine(others, 'answering')}
    </p>
  );
}

interface MessageListProps {
  conversation: ConversationDetail;
  conversationId: string;
  /** Marks a message and those after it as unread. */
  onUnread: (messageId: string) => void;
}

/** The messages, oldest first. On a laptop they have their own scroll bar and start at the first unread one. */
function MessageList({ conversation, conversationId, onUnread }: MessageListProps) {
  const pane = useRef<HTMLDivElement>(null);
  const { messages, isLoaded, error, retry, ...paging } = useMessages(conversationId);
  const { notes, ...notePaging } = useNotes(conversationId);
  // Notes are among the messages, so their earlier ones come last.
  const earlier = paging.hasMore ? { ...paging, what: 'earlier messages' } : { ...notePaging, what: 'earlier notes' };
  const entries = useMemo(() => threadEntries(messages, notes, paging.hasMore), [messages, notes, paging.hasMore]);
  const { write } = useInbox();
  const guardForward = useGuard('conversations:send');
  const last = messages.at(-1);
  usePageKeys('Inbox', inboxKeys, last ? { forward: guardForward(() => write({ forward: last.id })) } : {});
  useMarkShown(conversationId, conversation.isRead, messages);
  useReadNotifications(conversation.id);

  const own = useMemo(
    () => new Set(conversation.participants.filter(({ isSelf }) => isSelf).map(({ email }) => email)),
    [conversation.participants],
  );

  useEffect(() => {
    if (!isLoaded || !pane.current) return;
    const open = pane.current.querySelector<HTMLElement>('[data-open-message]');
    if (open) pane.current.scrollTop = open.offsetTop - 12;
  }, [isLoaded]);

  return (
    <div ref={pane} className="relative min-h-0 px-4 py-4 sm:px-6 lg:flex-1 lg:overflow-y-auto">
      {!isLoaded ? (
        error ? (
          <ErrorState error={error} onRetry={retry} title="Couldn’t load messages" />
        ) : (
          <SkeletonLines shape="text" lines={8} label="Loading the messages" />
        )
      ) : (
        <>
          {earlier.hasMore && (
            <div className="mb-3">
              <LoadMore
                label={
                  <>
                    Load {earlier.what} (<LocalNumber value={earlier.earlier} />)
                  </>
                }
                what={earlier.what}
                size="sm"
                isLoading={earlier.isLoadingMore}
                hasFailed={earlier.hasFailedToLoadMore}
                onLoadMore={earlier.loadMore}
              />
            </div>
          )}
          <ol aria-label="Messages" className="flex flex-col gap-2">
            {entries.map((entry) =>
              entry.kind === 'note' ? (
                <li key={entry.note.id}>
                  <Note note={entry.note} />
                </li>
              ) : (
                <li key={entry.message.id}>
                  <Message message={entry.message} own={own} isLast={entry.isLast} onUnread={onUnread} />
                </li>
              ),
            )}
          </ol>
        </>
      )}
    </div>
  );
}

/**
 * Marks a conversation as read up to the newest message on the page, once the page is visible: a background tab marks nothing.
 * This happens once per newest message, so that a conversation marked as unread afterwards stays so.
 */
function useMarkShown(conversationId: string, isRead: boolean, messages: readonly MessageRecord[]): void {
  const { mutate } = useUpdateConversation(conversationId, 'Couldn’t mark the conversation as read.');
  const { isAllowed } = usePermission('conversations:write');
  const seenUntil = useRef<string>(undefined);
  const newest = messages.at(-1)?.createdAt;

  const see = useEffectEvent((until: string) => {
    if (document.visibilityState !== 'visible' || seenUntil.current === until) return;
    seenUntil.current = until;
    const isUnread = !isRead || messages.some((message) => !message.isRead);
    if (isUnread && isAllowed) mutate({ conversationId, isRead: true, seenUntil: until });
  });

  useEffect(() => {
    if (newest === undefined) return;
    const seeNewest = () => see(newest);
    seeNewest();
    document.addEventListener('visibilitychange', seeNewest);
    return () => document.removeEventListener('visibilitychange', seeNewest);
  }, [newest]);
}

/** The messages of a conversation, oldest first: the newest hundred, and earlier ones on request. */
function useMessages(conversationId: string) {
  const trpc = useTRPC();
  const input = messagesInput(conversationId);
  const { items, lastPage, ...pages } = usePages({
    pageAt: (position: ListPlace) => trpc.conversations.messages.queryOptions({ ...input, ...position }),
    first: listStart,
    next: placeAfter,
    items: 'messages',
  });
  const messages = useMemo(() => items.toReversed(), [items]);
  return { ...pages, messages, earlier: Math.max(0, (lastPage?.total ?? 0) - messages.length) };
}
