import { textToHtml } from '@/server/platform/html/text-to-html';
import { referencesOf } from '@/server/platform/mail/mail-headers';
import type { MailAddressRecord } from './message.schema';

/** Subject, headers and body of replies and forwarded messages, as pure functions. */

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

/** Adds `Fwd:` unless the subject has it, or `Fw:`, already. */
export function forwardSubject(subject: string): string {
  const trimmed = subject.trim();
  return /^(fwd?|wg)\s*:/i.test(trimmed) ? trimmed : `Fwd: ${trimmed}`.trim();
}

/** In-Reply-To and References of a reply (RFC 5322, 3.6.4). */
export function replyHeaders(answered: QuotedMessage): { inReplyTo: string; references: string[] } {
  const { messageIdHeader, references } = answered;
  return { inReplyTo: messageIdHeader, references: referencesOf(references, [messageIdHeader], '') };
}

const dateFormat = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });

const dateOf = ({ at }: { at: string }) => `${dateFormat.format(new Date(at))} UTC`;

const quotedMaximum = 100_000;

/** What follows the text of an email, in both of its parts. */
export interface Quotation {
  text: string;
  html: string;
}

/** The message that is answered, below an answer. */
export function quotationOf(message: QuotedMessage): Quotation {
  const quoted = message.text.slice(0, quotedMaximum);
  const lines = quoted.split('\n').map((line) => (line.startsWith('>') ? `>${line}` : `> ${line}`));
  const attribution = `On ${dateOf(message)}, ${message.from.displayName ?? message.from.email} wrote:`;
  return {
    text: `${attribution}\n${lines.join('\n')}`,
    html: `${textToHtml(attribution)}<blockquote type="cite">${textToHtml(quoted)}</blockquote>`,
  };
}

/** A message that is forwarded. */
export interface ForwardedMessage extends Pick<QuotedMessage, 'subject' | 'from' | 'text' | 'at'> {
  to: MailAddressRecord[];
  cc: MailAddressRecord[];
}

const namedAddress = ({ email, displayName }: MailAddressRecord) => (displayName ? `${displayName} <${email}>` : email);

/** A forwarded message, with the headers that say whose it is. */
export function forwardedOf(message: ForwardedMessage): Quotation {
  const headers: [string, string][] = [
    ['From', namedAddress(message.from)],
    ['Date', dateOf(message)],
    ['Subject', message.subject],
    ['To', message.to.map(namedAddress).join(', ')],
    ['Cc', message.cc.map(namedAddress).join(', ')],
  ];
  const lines = headers.filter(([, value]) => value !== '').map(([name, value]) => `${name}: ${value}`);
  const head = ['---------- Forwarded message ----------', ...lines].join('\n');
  const forwarded = message.text.slice(0, quotedMaximum).trimEnd();
  return { text: `${head}\n\n${forwarded}`, html: `${textToHtml(head)}\n${textToHtml(forwarded)}` };
}

interface EmailBody {
  text: string;
  html: string | null | undefined;
  signature: string;
  quotation: Quotation | null;
}

/**
 * Both parts of an email. The HTML is generated from the text if none was given; signature and quotation follow, in that order.
 */
export function composeBody({ text, html, signature, quotation }: EmailBody): { text: string; html: string } {
  const textParts = [text.trimEnd(), signature && `-- \n${signature}`, quotation?.text ?? ''];
  const htmlParts = [
    html?.trim() ? html : textToHtml(text.trimEnd()),
    signature && `<div class="signature">${textToHtml(signature)}</div>`,
    quotation?.html ?? '',
  ];
  const isThere = (part: string) => part !== '';
  return { text: `${textParts.filter(isThere).join('\n\n')}\n`, html: htmlParts.filter(isThere).join('\n') };
}
