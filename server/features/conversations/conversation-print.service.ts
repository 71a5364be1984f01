import { setImmediate } from 'node:timers/promises';
import type { IdentityActor } from '@/server/platform/actor';
import { pool } from '@/server/platform/db/pool';
import { type PrintedEmail, printPage } from '@/server/platform/html/print-view';
import { canonicalZone } from '@/server/platform/ical/zone-names';
import { splitQuoted } from '@/server/platform/mail/mail-text';
import { findConversation } from './conversation.queries';
import { listMessagePage } from './message.queries';
import type { MailAddressRecord, MessageRecord } from './message.schema';
import { pageOf } from './message-page.service';

/** Messages that are printed: the newest ones. */
const printedMaximum = 200;

/** Length of their pages, in characters. */
const pagesMaximum = 20_000_000;

/**
 * A conversation as a document for printing: its newest messages, oldest first, without internal notes and remote images.
 *
 * @param zone IANA name of the reader's time zone; UTC if it is unknown
 * @throws AppError not_found for an unknown or foreign id
 * @throws QueueFull if a message has to be rendered and no thread was free in time
 */
export async function conversationPrint(actor: IdentityActor, conversationId: string, zone: string | null): Promise<string> {
  const conversation = await findConversation(pool(), actor.identityId, conversationId);
  const { page: newest, matches } = await listMessagePage(pool(), conversation, {
    ...{ order: 'desc', limit: printedMaximum, offset: 0, includeAttachments: true, direction: undefined },
  });
  const timeZone = (zone && canonicalZone(zone)) || 'UTC';
  const times = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeStyle: 'short', timeZone });
  const emails: PrintedEmail[] = [];
  let length = 0;
  for (const message of newest) {
    const email = await printedEmail(message, times);
    length += email.page?.length ?? email.text.length;
    if (emails.length > 0 && length > pagesMaximum) break;
    emails.unshift(email);
    // Others are answered in between.
    await setImmediate();
  }
  const omitted = matches - emails.length;
  return printPage({
    title: conversation.subject || '(no subject)',
    omitted: omitted > 0 ? `${omitted} earlier ${omitted === 1 ? 'message is' : 'messages are'} not printed.` : null,
    emails,
  });
}

const addressText = ({ email, displayName }: MailAddressRecord) => (displayName ? `${displayName} <${email}>` : email);

async function printedEmail(message: MessageRecord, times: Intl.DateTimeFormat): Promise<PrintedEmail> {
  const { from, to, cc, attachments, text, html, direction } = message;
  const facts: [string, string][] = [
    ['To', to.map(addressText).join(', ')],
    ['Cc', cc.map(addressText).join(', ')],
    [
      'Attachments',
      attachments
        .filter(({ isInline }) => !isInline)
        .map(({ filename }) => filename)
        .join(', '),
    ],
  ];
  // As the dashboard shows it: our own email as the text that it was written in.
  const isFormatted = html !== null && (direction === 'inbound' || text.trim() === '');
  return {
    sender: addressText(from),
    time: times.format(new Date(message.sentAt ?? message.receivedAt ?? message.createdAt)),
    facts: facts.filter(([, value]) => value !== ''),
    // What it quotes is printed as the message that it quotes.
    text: splitQuoted(text).fresh.trim() || text,
    page: isFormatted ? await pageOf(message, html, false) : null,
  };
}
