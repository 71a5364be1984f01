import { undoToast } from '@/app/_kit/undo-toast';
import type { Assignee, ConversationRecord, ConversationStatus } from '@/server/features/conversations/conversation.schema';
import { belongsTo } from '../search-params';
import { statusLabels, subjectOf } from './conversation-labels';
import { useInbox } from './inbox-context';
import { useUpdateConversation } from './use-update-conversation';

/** Actions on the open conversation. Those that remove it from the list open the next one. */
export function useConversationActions(conversation: ConversationRecord) {
  const { search, openNext, close } = useInbox();
  const { mutate } = useUpdateConversation('Couldn’t update the conversation.');
  const { id, isArchived, isSpam, status, assignee } = conversation;
  const description = subjectOf(conversation.subject);

  /** `before` is the state that undo restores. */
  const change = (
    message: string,
    next: Partial<Pick<ConversationRecord, 'isArchived' | 'isSpam' | 'status' | 'assignee'>>,
    before: typeof next,
  ) => {
    mutate({ conversationId: id, ...next });
    undoToast({ message, description, id: `conversation-${id}`, onUndo: () => mutate({ conversationId: id, ...before }) });
    if (belongsTo(search, conversation) && !belongsTo(search, { isArchived, isSpam, ...next })) openNext();
  };

  return {
    toggleArchived: () => change(isArchived ? 'Moved to inbox' : 'Archived', { isArchived: !isArchived }, { isArchived }),
    toggleSpam: () => change(isSpam ? 'Marked as not spam' : 'Marked as spam', { isSpam: !isSpam }, { isSpam }),
    changeStatus: (next: ConversationStatus) =>
      change(`Status set to “${statusLabels[next].label}”`, { status: next }, { status }),
    assign: (next: Assignee | null) => change(next ? `Assigned to ${next.name}` : 'Unassigned', { assignee: next }, { assignee }),
    /** Also leaves the conversation, since viewing it would mark it as read again. */
    markUnread: () => {
      mutate({ conversationId: id, isRead: false });
      close();
    },
  };
}

export type ConversationActions = ReturnType<typeof useConversationActions>;
