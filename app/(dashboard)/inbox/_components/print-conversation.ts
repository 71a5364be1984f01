import { toast } from '@/app/_kit/toast';
import type { ConversationRecord } from '@/server/features/conversations/conversation.schema';

let printed: HTMLIFrameElement | undefined;

/** Opens the browser's dialog for printing a conversation: all of its messages, without what is around them. */
export function printConversation({ id, identityId }: Pick<ConversationRecord, 'id' | 'identityId'>): void {
  // Browsers tell in different ways, or not at all, when they have read the document; so it stays until the next one.
  printed?.remove();
  const frame = document.createElement('iframe');
  printed = frame;
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  frame.src = `/api/mail/conversations/${id}/print?${new URLSearchParams({ identity: identityId, zone: timeZone })}`;
  frame.title = 'Conversation to print';
  frame.tabIndex = -1;
  frame.ariaHidden = 'true';
  frame.style.cssText = 'position: fixed; width: 0; height: 0; border: 0; visibility: hidden';
  frame.addEventListener('load', () => {
    const page = frame.contentDocument;
    if (page?.URL === 'about:blank') return;
    if (page?.querySelector('[data-printable]')) frame.contentWindow?.print();
    else toast.failure('Couldn’t print the conversation.', new Error('The server has not answered with it.'));
  });
  document.body.append(frame);
}
