import type { Readable } from 'node:stream';
import { headerAddress, headerText, threadHeaders } from './outgoing-headers';
import type { MailAddress } from './parsed-mail';

/** An attachment. */
export interface OutboundFile {
  filename: string;
  contentType: string;
  /** Of one that the HTML shows; without angle brackets. */
  contentId?: string | undefined;
  /** Its bytes; read once. */
  content: Readable;
}

/** What an email says, to whom, and what it answers. */
export interface WrittenEmail {
  /** With angle brackets. */
  messageId: string;
  from: MailAddress;
  replyTo?: MailAddress | undefined;
  to: MailAddress[];
  cc: MailAddress[];
  subject: string;
  text: string;
  /** Null for one that is plain text. */
  html: string | null;
  inReplyTo: string | null;
  references: string[];
  attachments?: OutboundFile[];
  date: Date;
}

/** Types that say nothing of a file: the library takes one that its name suggests. */
const vagueType = /^(application\/octet-stream$|multipart\/)/;

function attachmentOf({ filename, contentType, contentId, content }: OutboundFile) {
  return {
    filename,
    content,
    ...(contentId === undefined
      ? { contentDisposition: 'attachment' as const }
      : { contentDisposition: 'inline' as const, cid: contentId }),
    ...(vagueType.test(contentType) ? {} : { contentType }),
  };
}

/** An email for the library. @param named the addresses that its headers name */
export function emailContent(mail: WrittenEmail, named: (addresses: MailAddress[]) => ReturnType<typeof headerAddress>[]) {
  return {
    messageId: mail.messageId,
    date: mail.date,
    from: headerAddress(mail.from),
    replyTo: named(mail.replyTo ? [mail.replyTo] : []),
    to: named(mail.to),
    cc: named(mail.cc),
    subject: headerText(mail.subject),
    text: mail.text,
    ...(mail.html === null ? {} : { html: mail.html }),
    attachments: (mail.attachments ?? []).map(attachmentOf),
    ...threadHeaders(mail.inReplyTo, mail.references),
  };
}
