import { Clock } from 'lucide-react';
import { PendingButton } from '@/app/_kit/pending-button';
import type { MessageRecord } from '@/server/features/conversations/message.schema';
import { isScheduled } from './later-times';
import { useCancelEmail } from './use-cancel-email';
import { useLaterText } from './use-later-text';

/** When an email that waits is sent, with a button that cancels it. */
export function WaitingDelivery({ message }: { message: MessageRecord }) {
  const textOf = useLaterText();
  const cancel = useCancelEmail();
  const { id: messageId, conversationId, sendAt } = message;
  const when = sendAt !== null && isScheduled(message) ? `Will be sent ${textOf(sendAt)}` : 'Not sent yet';
  return (
    <div className="mb-3 flex flex-wrap items-center gap-x-4 gap-y-2 rounded-md bg-info-soft px-3 py-1.5 text-info-text">
      <p className="flex min-w-0 flex-1 basis-44 items-center gap-2">
        <Clock aria-hidden className="size-4 shrink-0" />
        {when}
      </p>
      <PendingButton
        variant="secondary"
        size="sm"
        needs="conversations:send"
        isPending={cancel.isPending}
        onPress={() => cancel.mutate({ conversationId, messageId })}
      >
        Cancel sending
      </PendingButton>
    </div>
  );
}
