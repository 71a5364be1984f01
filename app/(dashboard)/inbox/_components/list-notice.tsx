import { useMutation, useQueryClient } from '@tanstack/react-query';
import { PendingButton } from '@/app/_kit/pending-button';
import { RelativeTime } from '@/app/_kit/relative-time';
import { toast } from '@/app/_kit/toast';
import { useTRPC } from '@/app/_trpc/client';
import type { MessageRecord } from '@/server/features/conversations/message.schema';

interface ListNoticeProps {
  message: Pick<MessageRecord, 'id' | 'conversationId'>;
  way: NonNullable<MessageRecord['unsubscribe']>;
}

/** Says that an email is of a list, and ends its emails. */
export function ListNotice({ message, way }: ListNoticeProps) {
  return (
    <p className="mb-3 flex flex-wrap items-center gap-x-3 gap-y-1 rounded-md bg-default px-3 py-1.5 text-label">
      <span className="min-w-0 flex-1">This email was sent to a mailing list.</span>
      {way.unsubscribedAt !== null ? (
        <span className="text-muted">
          Unsubscribed <RelativeTime value={way.unsubscribedAt} />
        </span>
      ) : way.method === 'page' ? (
        <a href={way.target} target="_blank" rel="noopener noreferrer" className="font-medium underline underline-offset-2">
          Open the list’s page to unsubscribe
        </a>
      ) : (
        <UnsubscribeButton message={message} />
      )}
    </p>
  );
}

function UnsubscribeButton({ message: { id: messageId, conversationId } }: Pick<ListNoticeProps, 'message'>) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const { mutate, isPending, isSuccess } = useMutation(
    trpc.conversations.unsubscribe.mutationOptions({
      onSuccess: async () => {
        toast('Unsubscribed. It can take a few days until no more emails come.');
        await queryClient.invalidateQueries(trpc.conversations.messages.queryFilter({ conversationId }));
      },
      onError: (error) => toast.failure('Couldn’t unsubscribe.', error),
    }),
  );
  return (
    <PendingButton
      variant="secondary"
      size="sm"
      needs="conversations:send"
      isPending={isPending || isSuccess}
      onPress={() => mutate({ conversationId, messageId })}
    >
      Unsubscribe
    </PendingButton>
  );
}
