import type { StoredFile } from '../files/file-store';
import type { ListUnsubscribe } from './list-unsubscribe';

/** The parser's result. All strings are well-formed and without NUL, as database and JSON require. */

export interface MailAddress {
  /** Trimmed, the domain in lower case; unchanged if not an address. */
  email: string;
  /** At most 200 characters. */
  displayName: string | null;
}

export interface ParsedAttachment extends StoredFile {
  /** Never empty, never a path: derived from the content type if the message gives none. */
  filename: string;
  /** `type/subtype` in lower case; `application/octet-stream` if missing or invalid. */
  contentType: string;
  /** Without angle brackets. */
  contentId: string | null;
  /** True if the HTML shows it (by `cid:`), or it is marked inline and has a content id. */
  isInline: boolean;
}

/** One recipient of a delivery status notification (RFC 3464). */
export interface ReportedRecipient {
  /** Lower-cased. */
  email: string;
  action: 'failed' | 'delayed' | 'delivered' | 'relayed' | 'expanded';
  /** Enhanced status code such as `5.1.1`; '' if missing. */
  status: string;
  /** The other server's response, for people; '' if missing. */
  diagnostic: string;
}

/** A delivery status notification about an earlier message. */
export interface DeliveryReport {
  /** Of the returned message, with angle brackets; null if the report does not contain it. */
  originalMessageId: string | null;
  recipients: ReportedRecipient[];
}

export interface ParsedMail {
  /** With angle brackets. If missing or invalid, derived from the message's bytes, so that it is reproducible. */
  messageId: string;
  /** First id of In-Reply-To. */
  inReplyTo: string | null;
  /** Ids of References and In-Reply-To, oldest first, without duplicates and the message's own; at most `maximumReferences`. */
  references: string[];
  /** `email` is '' if the message names no sender. */
  from: MailAddress;
  replyTo: MailAddress[];
  /**
   * Includes members of groups (RFC 5322, 3.4); entries without an address are dropped. At most 1,000 a header, 2,000 in all.
   */
  to: MailAddress[];
  cc: MailAddress[];
  bcc: MailAddress[];
  /** Addresses of Delivered-To, which the previous server may have added. */
  deliveredTo: string[];
  /** In one line, at most 2,000 characters. */
  subject: string;
  /** The plain text, converted from HTML if the message has only that. */
  text: string;
  html: string | null;
  /** The Date header; null if it is missing or invalid (unreadable, before 1980, more than a day ahead). */
  sentAt: Date | null;
  /** RFC 3834 and contract section 6, judged by headers alone. */
  isAutoReply: boolean;
  /** Null unless it is of a list that names one. */
  unsubscribe: ListUnsubscribe | null;
  report: DeliveryReport | null;
  attachments: ParsedAttachment[];
}

/** An unreadable message. `message` is the reason shown in the quarantine. */
export class UnparsableMail extends Error {
  override name = 'UnparsableMail';
}
