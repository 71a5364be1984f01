import nodemailer, { type SMTPSentMessageInfo, type Transporter } from 'nodemailer';
import { env } from '../env';
import { oncePerProcess } from '../process-registry';
import { normalizeAddress } from './mail-addresses';
import { cleanLine } from './mail-characters';
import type { MailAddress } from './parsed-mail';

/** A mail to be handed to the server of SMTP_URL. */
export interface OutboundMail {
  /** With angle brackets. */
  messageId: string;
  from: MailAddress;
  replyTo?: MailAddress | undefined;
  to: MailAddress[];
  cc: MailAddress[];
  /** Envelope recipients: who really gets it. */
  recipients: string[];
  subject: string;
  text: string;
  html: string;
  inReplyTo: string | null;
  references: string[];
  /** An iTIP object: sent as an alternative to text and HTML, and attached as a file for programs that look only there (RFC 6047). */
  calendar?: { method: 'REQUEST' | 'CANCEL'; content: string } | undefined;
  /** RFC 3834: marked as `Auto-Submitted`. */
  isAutomatic?: boolean | undefined;
  date: Date;
}

/** A recipient the server did not take. */
export interface RejectedRecipient {
  email: string;
  /** True where asking again is of no use (a 5xx answer). */
  isPermanent: boolean;
  /** What the server said. */
  response: string;
}

export interface SendResult {
  /** What the server said when it accepted. */
  response: string;
  /** Empty as a rule; the others have got it. */
  rejected: RejectedRecipient[];
}

/** The server took the mail for nobody. `message` says why, for people. */
export class SendFailure extends Error {
  override name = 'SendFailure';

  constructor(
    message: string,
    /** True where trying again is of no use: the server refused sender, message or all recipients for good. */
    readonly isPermanent: boolean,
    /** What it said of each recipient; empty where it got no further than the sender, or refused the message itself. */
    readonly rejected: readonly RejectedRecipient[] = [],
  ) {
    super(message);
  }
}

/**
 * A server that does not answer is given up after these. One that has been given a mail may take ten minutes to say that it has it
 * (RFC 5321 4.5.3.2.6): whoever gives up before sends it again.
 */
const timeouts = { connectionTimeout: 30_000, greetingTimeout: 30_000, socketTimeout: 10 * 60_000, dnsTimeout: 10_000 };

/**
 * A connection for each mail. A pool would put a mail back in its queue by itself when a connection breaks, and so could send it twice
 * without our knowledge.
 */
function transporter(url: string): Transporter<SMTPSentMessageInfo> {
  return oncePerProcess('smtp-transport', () =>
    nodemailer.createTransport({ url, ...timeouts, disableFileAccess: true, disableUrlAccess: true }),
  );
}

interface SmtpError extends Error {
  code?: string;
  command?: string;
  response?: string;
  responseCode?: number;
  recipient?: string;
  rejectedErrors?: SmtpError[];
}

/** Whether an answer is final. That we have to sign in first, or by TLS (530, RFC 4954 and 3207), is about us, whatever it answers. */
function isRefusal({ responseCode = 0 }: SmtpError): boolean {
  return responseCode >= 500 && responseCode < 600 && responseCode !== 530;
}

/** The commands of SMTP that are about the mail itself; refusals of the others are about us, our password or our address. */
const mailCommands = new Set(['MAIL FROM', 'RCPT TO', 'DATA', 'BDAT']);

const words: Record<string, string> = {
  EAUTH: 'The mail server refused the user or password of SMTP_URL',
  ECONNECTION: 'The connection to the mail server broke',
  ESOCKET: 'The mail server could not be reached',
  ETIMEDOUT: 'The mail server did not answer in time',
  EDNS: 'The name of the mail server could not be looked up',
  ETLS: 'The mail server could not agree on encryption',
};

/** In one line that can be stored, whatever bytes the server sent. */
function describe(error: SmtpError): string {
  const said = cleanLine(error.response ?? '');
  const message = said || cleanLine(error.message);
  const prefix = words[error.code ?? ''];
  return prefix && !(said && mailCommands.has(error.command ?? '')) ? `${prefix}: ${message}` : message;
}

/** In one form, however it is written: the library asks for recipients with their domain in ASCII and the local part unquoted. */
function comparableAddress(address: string): string {
  return normalizeAddress(address).replace(/^"(.*)"@/, (_, quoted: string) => `${quoted.replaceAll(/\\(.)/g, '$1')}@`);
}

/** Who was not taken, each by the address we know. */
function rejectedOf(errors: readonly SmtpError[] | undefined, recipients: readonly string[]): RejectedRecipient[] {
  if (!errors?.length) return [];
  const known = new Map(recipients.map((email) => [comparableAddress(email), email]));
  return errors.map((error) => ({
    email: known.get(comparableAddress(error.recipient ?? '')) ?? error.recipient ?? '',
    isPermanent: isRefusal(error),
    response: describe(error),
  }));
}

function toSendFailure(error: SmtpError, recipients: readonly string[]): SendFailure {
  const rejected = rejectedOf(error.rejectedErrors, recipients);
  if (rejected.length > 0) {
    const reasons = rejected.map(({ email, response }) => `${email}: ${response}`);
    return new SendFailure(
      reasons.join('; '),
      rejected.every(({ isPermanent }) => isPermanent),
      rejected,
    );
  }
  // What the library itself finds impossible (an address no envelope can hold, a mail over the server's limit) stays so.
  const isImpossible = !error.response && (error.code === 'EENVELOPE' || error.code === 'EMESSAGE');
  return new SendFailure(describe(error), isImpossible || (isRefusal(error) && mailCommands.has(error.command ?? '')));
}

const named = ({ email, displayName }: MailAddress) => ({ address: email, name: displayName ?? '' });

/** Ids with other letters than ASCII would make many servers refuse the whole mail (RFC 6532 asks for SMTPUTF8). */
function threadHeaders({ inReplyTo, references }: OutboundMail): { inReplyTo?: string; references?: string[] } {
  const plain = /^[\x21-\x7e]+$/;
  const known = references.filter((id) => plain.test(id));
  return {
    ...(inReplyTo !== null && plain.test(inReplyTo) ? { inReplyTo } : {}),
    ...(known.length > 0 ? { references: known } : {}),
  };
}

/**
 * Hands one mail to the server.
 *
 * @throws SendFailure where it was taken for nobody
 */
export async function sendOverSmtp(url: string, mail: OutboundMail): Promise<SendResult> {
  try {
    const info = await transporter(url).sendMail({
      messageId: mail.messageId,
      date: mail.date,
      from: named(mail.from),
      ...(mail.replyTo ? { replyTo: named(mail.replyTo) } : {}),
      to: mail.to.map(named),
      cc: mail.cc.map(named),
      envelope: { from: mail.from.email, to: mail.recipients },
      subject: mail.subject,
      text: mail.text,
      html: mail.html,
      ...(mail.calendar ? { icalEvent: { ...mail.calendar, filename: 'invite.ics' } } : {}),
      ...(mail.isAutomatic ? { headers: { 'Auto-Submitted': 'auto-generated' } } : {}),
      ...threadHeaders(mail),
    });
    const { rejectedErrors } = info as { rejectedErrors?: SmtpError[] };
    return { response: cleanLine(info.response), rejected: rejectedOf(rejectedErrors, mail.recipients) };
  } catch (error) {
    throw toSendFailure(error as SmtpError, mail.recipients);
  }
}

/** True where mail can leave this installation. */
export function canSendMail(): boolean {
  return env().SMTP_URL !== undefined;
}
