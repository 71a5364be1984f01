import { textToHtml } from '@/server/platform/html/text-to-html';
import { referencesOf } from '@/server/platform/mail/mail-headers';
import type { MailAddressRecord } from './message.schema';

/** Subject, headers and body of a reply, as pure functions. */

/** The message that is answered. */
export interface QuotedMessage {
  subject: string;
  from: MailAddressRecord;
  text: string;
  messageIdHeader: string;
  references: string[];
  /** When it was sent, in ISO 8601. */
  at: string;
}

/** Adds `Re:` unless the subject already has a reply prefix, in any language. */
export function replySubject(subject: string): string {
  const trimmed = subject.trim();
  if (trimmed === '') return 'Re: your message';
  return /^(re|aw|sv|vs|antw|ref|rv)(\[\d+\])?\s*:/i.test(trimmed) ? trimmed : `Re: ${trimmed}`;
}

/** In-Reply-To and References of a reply (RFC 5322, 3.6.4). */
export function replyHeaders(answered: QuotedMessage): { inReplyTo: string; references: string[] } {
  const { messageIdHeader, references } = answered;
  return { inReplyTo: messageIdHeader, references: referencesOf(references, [messageIdHeader], '') };
}

function attribution({ from, at }: QuotedMessage): string {
  const date = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' }).format(new Date(at));
  return `On ${date} UTC, ${from.displayName ?? from.email} wrote:`;
}

const quotedMaximum = 100_000;

interface ReplyBody {
  text: string;
  html: string | null | undefined;
  signature: string;
  quoted: QuotedMessage | null;
}

/**
 * Both parts of a reply. The HTML is generated from the text if none was given; signature and quotation follow, in that order.
 */
export function composeReply({ text, html, signature, quoted }: ReplyBody): { text: string; html: string } {
  const quotedText = quoted?.text.slice(0, quotedMaximum) ?? '';
  const quotedLines = quotedText.split('\n').map((line) => (line.startsWith('>') ? `>${line}` : `> ${line}`));
  const textParts = [
    text.trimEnd(),
    ...(signature ? [`-- \n${signature}`] : []),
    ...(quoted ? [`${attribution(quoted)}\n${quotedLines.join('\n')}`] : []),
  ];
  const htmlParts = [
    html?.trim() ? html : textToHtml(text.trimEnd()),
    ...(signature ? [`<div class="signature">${textToHtml(signature)}</div>`] : []),
    ...(quoted ? [`${textToHtml(attribution(quoted))}<blockquote type="cite">${textToHtml(quotedText)}</blockquote>`] : []),
  ];
  return { text: `${textParts.join('\n\n')}\n`, html: htmlParts.join('\n') };
}
