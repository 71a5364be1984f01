'use client';

import { useEffect, useMemo, useRef } from 'react';
import { ErrorState } from '@/app/_kit/error-state';
import { LocalNumber } from '@/app/_kit/local-number';
import { PendingButton } from '@/app/_kit/pending-button';
import { SkeletonLines } from '@/app/_kit/skeleton-lines';
import type { ConversationDetail } from '@/server/features/conversations/conversation.schema';
import { Message } from './message';
import { useMarkShown } from './use-mark-shown';
import { useMessages } from './use-messages';

interface MessageListProps {
  conversation: ConversationDetail;
  conversationId: string;
}

/** The messages, oldest first. Scrolls by itself on a laptop, and begins at what is new. */
export function MessageList({ conversation, conversationId }: MessageListProps) {
  const pane = useRef<HTMLDivElement>(null);
  const { messages, isLoaded, error, retry, ...paging } = useMessages(conversationId);
  useMarkShown(conversationId, conversation.isRead, messages);

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
          <ErrorState error={error} onRetry={retry} title="The messages could not be loaded" />
        ) : (
          <SkeletonLines shape="text" lines={8} label="Loading the messages" />
        )
      ) : (
        <>
          {paging.hasEarlier && (
            <div className="mb-3 flex flex-wrap items-center justify-center gap-3">
              <PendingButton variant="secondary" size="sm" isPending={paging.isLoadingEarlier} onPress={paging.loadEarlier}>
                Load earlier messages (<LocalNumber value={paging.earlier} />)
              </PendingButton>
              {paging.hasFailedToLoadEarlier && (
                <p role="alert" className="text-label text-danger-text">
                  Earlier messages could not be loaded. Try again.
                </p>
              )}
            </div>
          )}
          <ol aria-label="Messages" className="flex flex-col gap-2">
            {messages.map((message, index) => (
              <li key={message.id}>
                <Message message={message} own={own} isLast={index === messages.length - 1} />
              </li>
            ))}
          </ol>
        </>
      )}
    </div>
  );
}
