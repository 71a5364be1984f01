import { undoToast } from '@/app/_kit/undo-toast';
import type { Assignee, ConversationRecord, ConversationStatus } from '@/server/features/conversations/conversation.schema';
import type { ShownLabel } from '@/server/features/conversations/label.schema';
import { belongsTo } from '../search-params';
import { statusLabels, subjectOf } from './conversation-labels';
import { useInbox } from './inbox-context';
import { useLaterText } from './use-later-text';
import { useTrash } from './use-trash';
import { useUpdateConversation } from './use-update-conversation';

/** Actions on the open conversation. Those that remove it from the list open the next one. */
export function useConversationActions(conversation: ConversationRecord) {
  const { search, openNext, close } = useInbox();
  const { mutate } = useUpdateConversation(conversation.id, 'Couldn’t update the conversation.');
  const { trash, restore } = useTrash();
  const { id, isArchived, isSpam, isTrashed, snoozedUntil, status, assignee } = conversation;
  const textOf = useLaterText();
  const description = subjectOf(conversation.subject);

  /** Offers to undo what was done, and leaves the conversation if it leaves the list. */
  const afterwards = (message: string, next: Partial<ConversationRecord>, onUndo: () => void) => {
    undoToast({ message, description, id: `conversation-${id}`, onUndo });
    if (belongsTo(search, conversation) && !belongsTo(search, { ...conversation, ...next })) openNext(id);
  };

  /** `before` is the state that undo restores. */
  const change = (
    message: string,
    next: Partial<Pick<ConversationRecord, 'isArchived' | 'isSpam' | 'snoozedUntil' | 'status' | 'assignee'>>,
    before: typeof next,
  ) => {
    mutate({ conversationId: id, ...next });
    afterwards(message, next, () => mutate({ conversationId: id, ...before }));
  };

  const toggleTrashed = () => {
    const [act, undo] = isTrashed ? [restore, trash] : [trash, restore];
    act(id);
    afterwards(isTrashed ? 'Restored' : 'Moved to trash', { isTrashed: !isTrashed }, () => undo(id));
  };

  return {
    toggleArchived: () =>
      change(
        isArchived ? 'Moved to inbox' : 'Archived',
        { isArchived: !isArchived, snoozedUntil: null },
        { isArchived, snoozedUntil },
      ),
    snooze: (until: Date) =>
      change(
        `Snoozed until ${textOf(until)}`,
        { isArchived: true, snoozedUntil: until.toISOString() },
        { isArchived, snoozedUntil },
      ),
    toggleSpam: () => change(isSpam ? 'Marked as not spam' : 'Marked as spam', { isSpam: !isSpam }, { isSpam }),
    toggleTrashed,
    changeStatus: (next: ConversationStatus) =>
      change(`Status set to “${statusLabels[next].label}”`, { status: next }, { status }),
    assign: (next: Assignee | null) => change(next ? `Assigned to ${next.name}` : 'Unassigned', { assignee: next }, { assignee }),
    setLabel: ({ id: labelId }: ShownLabel, isOn: boolean) =>
      mutate({ conversationId: id, ...(isOn ? { addLabels: [labelId] } : { removeLabels: [labelId] }) }),
    /**
     * Also leaves the conversation, since viewing it would mark it as read again.
     * @param unreadFrom a message from which on all become unread; by default, only the last one does
     */
    markUnread: (unreadFrom?: string) => {
      mutate({ conversationId: id, isRead: false, unreadFrom });
      close();
    },
  };
}

export type ConversationActions = ReturnType<typeof useConversationActions>;
