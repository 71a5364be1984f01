import { toast } from '@/app/_kit/toast';
import { undoToast } from '@/app/_kit/undo-toast';
import type { ComposerChoices } from '@/server/features/conversations/composer.schema';
import type { MessageRecord } from '@/server/features/conversations/message.schema';
import { isScheduled } from './later-times';
import { useCancelEmail, useRefreshEmails } from './use-cancel-email';
import { useLaterText } from './use-later-text';

/** The answer takes a moment, in which the time to undo passes. */
const answerMilliseconds = 500;

const nouns = { reply: 'Reply', new: 'Email' };

/** What follows when an email was handed in: the page is refreshed, and it is offered to take it back. */
export function useSentEmail(kind: keyof typeof nouns, { senders, undoSeconds }: ComposerChoices) {
  const textOf = useLaterText();
  const refresh = useRefreshEmails();
  const cancel = useCancelEmail();
  return (message: MessageRecord) => {
    refresh();
    const { id: messageId, conversationId, sendAt } = message;
    const offer = { id: `sent-${messageId}`, onUndo: () => cancel.mutate({ conversationId, messageId }) };
    if (sendAt !== null && isScheduled(message)) {
      undoToast({ ...offer, message: `Scheduled for ${textOf(sendAt)}` });
      return;
    }
    const { canSend = true } = senders.find(({ email }) => email === message.from.email) ?? {};
    const queued = { description: 'Outgoing email isn’t set up. Ask your administrator to set SMTP_URL.' };
    const text = `${nouns[kind]} ${canSend ? 'sent' : 'queued'}`;
    const milliseconds = undoSeconds * 1000 - answerMilliseconds;
    if (sendAt !== null) undoToast({ ...offer, ...(canSend ? {} : queued), message: text, milliseconds });
    // If it is sent at once, the message that appears in the thread is confirmation enough.
    else if (!canSend) toast(text, queued);
  };
}
