import { useMutation } from '@tanstack/react-query';
import { ConfirmDialog } from '@/app/_kit/confirm-dialog';
import { toast } from '@/app/_kit/toast';
import { useTRPC } from '@/app/_trpc/client';
import type { ConversationRecord } from '@/server/features/conversations/conversation.schema';
import { nameOf, subjectOf } from './conversation-labels';
import { useInbox } from './inbox-context';
import { changeKey, useConversationCache } from './use-conversation-cache';
import { countedConversations, useDeleteMany } from './use-trash';

/** What a menu asks to be deleted. */
export type Deletion = 'sender' | 'forever';

interface DeletionDialogsProps {
  conversation: ConversationRecord;
  asking: Deletion | null;
  onClose: () => void;
}

/** Deletes all conversations of the sender, or this one permanently, after confirmation. */
export function DeletionDialogs({ conversation, asking, onClose }: DeletionDialogsProps) {
  return (
    <>
      <DeleteFromSender conversation={conversation} isOpen={asking === 'sender'} onClose={onClose} />
      <DeleteForever conversation={conversation} isOpen={asking === 'forever'} onClose={onClose} />
    </>
  );
}

interface DeletionDialogProps {
  conversation: ConversationRecord;
  isOpen: boolean;
  onClose: () => void;
}

function DeleteFromSender({ conversation, isOpen, onClose }: DeletionDialogProps) {
  const { openNext } = useInbox();
  const { counterpart } = conversation;
  const { mutate, isPending } = useDeleteMany();
  const senderEmail = counterpart.email.toLowerCase();
  return (
    <ConfirmDialog
      isOpen={isOpen}
      onOpenChange={onClose}
      title={`Delete all from ${nameOf(counterpart)}?`}
      description={`All conversations with ${counterpart.email} are moved to the trash, where they can be restored for 30 days.`}
      confirmLabel="Move to trash"
      tone="danger"
      isPending={isPending}
      onConfirm={() =>
        mutate(
          { senderEmail },
          {
            onSuccess: (deleted) => {
              onClose();
              toast(`${countedConversations(deleted)} moved to trash`, { description: counterpart.email });
              openNext(conversation.id);
            },
          },
        )
      }
    />
  );
}

function DeleteForever({ conversation, isOpen, onClose }: DeletionDialogProps) {
  const trpc = useTRPC();
  const cache = useConversationCache();
  const { openNext } = useInbox();
  const subject = subjectOf(conversation.subject);
  const remove = useMutation({
    ...trpc.conversations.delete.mutationOptions({
      onSuccess: () => {
        onClose();
        toast('Deleted forever', { description: subject, id: `conversation-${conversation.id}` });
        openNext(conversation.id);
      },
      onError: (error) => toast.failure('Couldn’t delete the conversation.', error),
      onSettled: cache.settle,
    }),
    mutationKey: [...changeKey, 'delete forever'],
  });
  return (
    <ConfirmDialog
      isOpen={isOpen}
      onOpenChange={onClose}
      title={`Delete “${subject}” forever?`}
      description="Its messages, attachments and notes are permanently deleted. This can’t be undone."
      confirmLabel="Delete forever"
      tone="danger"
      isPending={remove.isPending}
      onConfirm={() => remove.mutate({ conversationId: conversation.id, permanent: true })}
    />
  );
}
