import type { MessageRecord } from '@/server/features/conversations/message.schema';
import { MailBody } from '../../_components/mail-body';
import { Attachments } from './attachments';
import { nameOf } from './conversation-labels';

/** The content of a message. Incoming HTML email is shown as HTML, our own as the text it was written in. */
export function MessageBody({ message }: { message: MessageRecord }) {
  const { id, identityId, html, text, direction, from } = message;
  return (
    <>
      <MailBody
        text={text}
        htmlUrl={html === null ? null : `/api/mail/messages/${id}/html?identity=${identityId}`}
        prefersHtml={direction === 'inbound'}
        senderName={nameOf(from)}
        frameClassName="-mx-4 w-[calc(100%+2rem)] sm:-mr-0 sm:w-[calc(100%+1rem)] sm:rounded-md"
      />
      <Attachments message={message} />
    </>
  );
}
