'use client';

import { useEffect, useEffectEvent, useRef } from 'react';
import type { MessageRecord } from '@/server/features/conversations/message.schema';
import { useUpdateConversation } from './use-update-conversation';

/**
 * Marks a conversation as read up to the newest message on the page, once the page is really seen: a tab in the background marks
 * nothing. Each newest message is seen once, so that what is marked as unread afterwards stays so.
 */
export function useMarkShown(conversationId: string, isRead: boolean, messages: readonly MessageRecord[]): void {
  const { mutate } = useUpdateConversation('The conversation was not marked as read.');
  const seenUntil = useRef<string>(undefined);
  const newest = messages.at(-1)?.createdAt;

  const see = useEffectEvent((until: string) => {
    if (document.visibilityState !== 'visible' || seenUntil.current === until) return;
    seenUntil.current = until;
    const isUnread = !isRead || messages.some((message) => !message.isRead);
    if (isUnread) mutate({ conversationId, isRead: true, seenUntil: until });
  });

  useEffect(() => {
    if (newest === undefined) return;
    const seeNewest = () => see(newest);
    seeNewest();
    document.addEventListener('visibilitychange', seeNewest);
    return () => document.removeEventListener('visibilitychange', seeNewest);
  }, [newest]);
}
