'use client';

import { useQuery } from '@tanstack/react-query';
import dynamic from 'next/dynamic';
import { useState } from 'react';
import { errorFacts } from '@/app/_kit/error-facts';
import { ErrorState } from '@/app/_kit/error-state';
import { Dialog } from '@/app/_kit/overlay/dialog';
import { SkeletonLines } from '@/app/_kit/skeleton-lines';
import { useTRPC } from '@/app/_trpc/client';
import type { ConversationDetail } from '@/server/features/conversations/conversation.schema';
import { ContextPane } from './context-pane';
import { ConversationNotFound } from './conversation-not-found';
import { MessageList } from './message-list';
import { ThreadHeader } from './thread-header';
import { useConversationActions } from './use-conversation-actions';
import { useHasRoomForContext } from './use-has-room-for-context';
import { useInboxKeys } from './use-inbox-keys';

const Composer = dynamic(() => import('./composer').then((module) => module.Composer), {
  loading: () => <SkeletonLines shape="text" lines={2} label="Loading the reply" />,
});

/** One conversation: what was written, the reply, and whom it is with. */
export function Thread({ conversationId }: { conversationId: string }) {
  const trpc = useTRPC();
  const { data, error, isFetching, refetch } = useQuery(trpc.conversations.get.queryOptions({ conversationId }));
  if (error && ['not_found', 'invalid_request'].includes(errorFacts(error).code)) return <ConversationNotFound />;
  if (data) return <LoadedThread conversation={data} conversationId={conversationId} />;
  if (error && !isFetching) {
    return <ErrorState error={error} onRetry={() => void refetch()} title="The conversation could not be loaded" />;
  }
  return (
    <div className="p-6">
      <SkeletonLines shape="text" lines={8} label="Loading the conversation" />
    </div>
  );
}

interface LoadedThreadProps {
  conversation: ConversationDetail;
  /** The id in the address; that of a conversation that was merged leads to the one it became part of. */
  conversationId: string;
}

function LoadedThread({ conversation, conversationId }: LoadedThreadProps) {
  const hasRoom = useHasRoomForContext();
  const [isContextOpen, setIsContextOpen] = useState(true);
  const [isDialogOpen, setIsDialogOpen] = useState(false);
  const [focusSignal, setFocusSignal] = useState(0);
  const actions = useConversationActions(conversation);
  const reply = () => setFocusSignal((signal) => signal + 1);
  useInboxKeys({ reply, archive: actions.toggleArchived, spam: actions.toggleSpam, unread: actions.markUnread });
  return (
    <div className="flex lg:h-full">
      <div className="flex min-w-0 flex-1 flex-col">
        <ThreadHeader
          conversation={conversation}
          actions={actions}
          isContextShown={hasRoom ? isContextOpen : isDialogOpen}
          onToggleContext={() => (hasRoom ? setIsContextOpen(!isContextOpen) : setIsDialogOpen(true))}
        />
        <MessageList conversation={conversation} conversationId={conversationId} />
        <div className="border-t border-border lg:max-h-[60%] lg:shrink-0 lg:overflow-y-auto">
          <Composer conversationId={conversation.id} focusSignal={focusSignal} />
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
