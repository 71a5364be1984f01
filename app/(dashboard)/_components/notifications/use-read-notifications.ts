import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useTRPC } from '@/app/_trpc/client';
import { useUnread } from './use-unread';

/** Marks the notifications about a conversation that is shown as read, once the page is visible. */
export function useReadNotifications(conversationId: string): void {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const unread = useUnread();
  const { mutate } = useMutation(
    trpc.notifications.markRead.mutationOptions({
      onSuccess: () => queryClient.invalidateQueries(trpc.notifications.pathFilter()),
    }),
  );
  // Again for a further notification.
  useEffect(() => {
    if (unread === 0) return;
    const read = () => {
      if (document.visibilityState === 'visible') mutate({ conversationId });
    };
    read();
    document.addEventListener('visibilitychange', read);
    return () => document.removeEventListener('visibilitychange', read);
  }, [mutate, conversationId, unread]);
}
