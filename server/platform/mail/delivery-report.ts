import { cleanLine, cutText } from '../text';
import { normalizeAddress } from './mail-addresses';
import { firstHeader, type Header, headersOf, headerValue, messageId, withoutComments } from './mail-headers';
import type { DeliveryReport, ReportedRecipient } from './parsed-mail';

/** Maximum bytes to read of a report's statuses, and of the messages it returns; they stay complete as attachments. */
export const reportHeadBytes = 256 * 1024;

const maximumRecipients = 1000;

/** In UTF-16 units. */
const maximumDiagnosticLength = 2000;

/** A Content-Type header, as mailparser reads it. */
interface ContentType {
  value: string;
  params: Record<string, string>;
}

/** True for the content type of a delivery status notification (RFC 6522 with RFC 3464). Some servers omit the report type. */
export function isDeliveryReport(contentType: ContentType | undefined): boolean {
  if (contentType?.value?.trim().toLowerCase() !== 'multipart/report') return false;
  const type = contentType.params['report-type'];
  return type === undefined || type.trim().toLowerCase() === 'delivery-status';
}

/** True for the parts that `deliveryReport` reads. */
export function isReportPart(contentType: string): boolean {
  return isStatusPart(contentType) || isReturnedPart(contentType);
}

/** True for a part that says what happened, as opposed to a returned message. */
export function isStatusPart(contentType: string): boolean {
  return contentType === 'message/delivery-status' || contentType === 'message/global-delivery-status';
}

function isReturnedPart(contentType: string): boolean {
  return ['message/rfc822', 'message/global', 'text/rfc822-headers', 'message/global-headers'].includes(contentType);
}

/** The lower-cased address of `rfc822; Name <a@b>` or `rfc822;a@b`; '' for other kinds of recipient (X.400, a fax). */
function recipientAddress(value: string): string {
  const semicolon = value.indexOf(';');
  const written = cleanLine(withoutComments(value.slice(semicolon + 1)));
  const open = written.lastIndexOf('<');
  const close = written.indexOf('>', open);
  const address = open >= 0 && close > open ? written.slice(open + 1, close) : written;
  const isAddress = address.includes('@') && !/\s/.test(address) && address.length <= 320;
  return isAddress ? normalizeAddress(address).toLowerCase() : '';
}

const actions: Record<string, ReportedRecipient['action']> = {
  failed: 'failed',
  failure: 'failed',
  delayed: 'delayed',
  delivered: 'delivered',
  relayed: 'relayed',
  expanded: 'expanded',
};

const actionsByClass: Record<string, ReportedRecipient['action']> = { 2: 'delivered', 4: 'delayed', 5: 'failed' };

/** One recipient from its fields; null if they have no recipient or no status. */
function toRecipient(fields: readonly Header[]): ReportedRecipient | null {
  const original = recipientAddress(firstHeader(fields, 'original-recipient') ?? '');
  const email = original || recipientAddress(firstHeader(fields, 'final-recipient') ?? '');
  const status = /\b[245]\.\d{1,3}\.\d{1,3}\b/.exec(firstHeader(fields, 'status') ?? '')?.[0] ?? '';
  const named = /[a-z]+/.exec(withoutComments(firstHeader(fields, 'action') ?? '').toLowerCase())?.[0] ?? '';
  const action = actions[named] ?? actionsByClass[status.charAt(0)];
  if (email === '' || action === undefined) return null;
  const diagnostic = cleanLine(firstHeader(fields, 'diagnostic-code') ?? '').replace(/^[a-z0-9-]{1,40} ?; ?/i, '');
  return { email, action, status, diagnostic: cutText(diagnostic, maximumDiagnosticLength) };
}

/**
 * Groups fields by recipient. Groups end at empty lines; if a server omitted these, a second Final-Recipient or
 * Original-Recipient begins the next group.
 */
function recipientGroups(status: string): Header[][] {
  const groups: Header[][] = [];
  for (const block of status.replace(/\r\n?/g, '\n').split(/\n[ \t]*\n/)) {
    let group: Header[] = [];
    for (const field of headersOf(block.replace(/^\n+/, ''))) {
      const begins = field.key === 'final-recipient' || field.key === 'original-recipient';
      if (begins && group.some(({ key }) => key === field.key)) {
        groups.push(group);
        group = [];
      }
      group.push(field);
    }
    groups.push(group);
  }
  return groups;
}

/** A part of a report: its beginning. */
export interface ReportPart {
  contentType: string;
  head: Buffer;
}

/**
 * Reads a delivery status notification (RFC 3464). Tolerates what servers really send: fields in one block, comments in values,
 * a missing action if the status implies it.
 * @param parts those accepted by `isReportPart`, in order
 * @returns null without a machine-readable status, regardless of the text for people
 */
export function deliveryReport(parts: readonly ReportPart[]): DeliveryReport | null {
  const statuses = parts.filter(({ contentType }) => isStatusPart(contentType));
  if (statuses.length === 0) return null;
  const recipients = new Map<string, ReportedRecipient>();
  for (const fields of statuses.flatMap(({ head }) => recipientGroups(head.toString('latin1')))) {
    const recipient = toRecipient(fields);
    if (recipient === null || recipients.has(recipient.email)) continue;
    if (recipients.size < maximumRecipients) recipients.set(recipient.email, recipient);
  }
  const returned = parts.find(({ contentType }) => isReturnedPart(contentType));
  const header = headersOf(returned?.head.toString('latin1') ?? '').find(({ key }) => key === 'message-id');
  return {
    originalMessageId: header === undefined ? null : messageId(headerValue(header)),
    recipients: [...recipients.values()],
  };
}
