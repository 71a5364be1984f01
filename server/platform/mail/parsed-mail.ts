import type { StoredFile } from '../files/content-store';

/** What the parser makes of a message. All strings are well-formed and without NUL, so that database and JSON can hold them. */

export interface MailAddress {
  /** Trimmed, the domain in lower case; as it came where it is not an address at all. */
  email: string;
  /** At most 200 characters. */
  displayName: string | null;
}

export interface ParsedAttachment extends StoredFile {
  /** Never empty, never a path: made from the content type where the message names none. */
  filename: string;
  /** `type/subtype` in lower case; `application/octet-stream` where the message gives none that is one. */
  contentType: string;
  /** Without angle brackets. */
  contentId: string | null;
  /** True where the HTML part shows it (by `cid:`), or the part says so and has a content id. */
  isInline: boolean;
}

/** One recipient of a delivery status notification (RFC 3464). */
export interface ReportedRecipient {
  /** Lower-cased. */
  email: string;
  action: 'failed' | 'delayed' | 'delivered' | 'relayed' | 'expanded';
  /** Enhanced status code such as `5.1.1`; '' where the report has none. */
  status: string;
  /** What the other server said, for people; '' where the report says nothing. */
  diagnostic: string;
}

/** A delivery status notification: what became of a message sent earlier. */
export interface DeliveryReport {
  /** Of the returned message, with angle brackets; null where the report does not show it. */
  originalMessageId: string | null;
  recipients: ReportedRecipient[];
}

export interface ParsedMail {
  /** With angle brackets. Where the message has none (or an absurd one), made from its bytes, so that the same message has the same. */
  messageId: string;
  /** First id of In-Reply-To. */
  inReplyTo: string | null;
  /** Ids of References and In-Reply-To, oldest first, each once, without the message's own; at most `maximumReferences`. */
  references: string[];
  /** `email` is '' where the message names no sender. */
  from: MailAddress;
  replyTo: MailAddress[];
  /** Members of groups (RFC 5322, 3.4) stand in their place; what has no address at all is left out. At most 1,000 a header, 2,000 in all. */
  to: MailAddress[];
  cc: MailAddress[];
  bcc: MailAddress[];
  /** Addresses of Delivered-To, which the last server before us may have added. */
  deliveredTo: string[];
  /** In one line, at most 2,000 characters. */
  subject: string;
  /** The plain text, made from the HTML where the message has only that. */
  text: string;
  html: string | null;
  /** The Date header; null where it is missing or absurd (unreadable, before 1980, more than a day ahead). */
  sentAt: Date | null;
  /** RFC 3834 and contract section 6, as far as the headers tell. */
  isAutoReply: boolean;
  report: DeliveryReport | null;
  attachments: ParsedAttachment[];
}

/** A message nobody can read. `message` says why, for the person who looks at the quarantine. */
export class UnparsableMail extends Error {
  override name = 'UnparsableMail';
}
