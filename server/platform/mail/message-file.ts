import type { Readable } from 'node:stream';
import MailComposer from 'nodemailer/lib/mail-composer';
import { emailContent, type WrittenEmail } from './email-content';
import { headerAddress } from './outgoing-headers';
import type { MailAddress } from './parsed-mail';

export type EmailFile = WrittenEmail & { bcc: MailAddress[] };

/** An email as a file that mail programs open (RFC 5322). Its attachments are read one after the other. */
export function messageFile({ bcc, ...email }: EmailFile): Readable {
  const composer = new MailComposer({
    ...emailContent(email, (addresses) => addresses.map(headerAddress)),
    bcc: bcc.map(headerAddress),
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const message = composer.compile();
  message.keepBcc = true;
  return message.createReadStream();
}
