import nodemailer, { type SMTPSentMessageInfo, type Transporter } from 'nodemailer';
import { env } from '../env';
import { oncePerProcess } from '../process-globals';
import { normalizeAddress } from './mail-addresses';
import { cleanLine } from './mail-characters';
import { headerAddress, headerText, needsSmtpUtf8, threadHeaders } from './outgoing-headers';
import type { MailAddress } from './parsed-mail';
import { offersSmtpUtf8, smtpOptions } from './smtp-options';

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

/** Sending was given up before the server had answered. */
export class SendInterrupted extends Error {
  override name = 'SendInterrupted';

  constructor(
    /** True where the server has the whole message: it may have accepted it, or be about to. */
    readonly mayBeAccepted: boolean,
  ) {
    super('Sending was interrupted.');
  }
}

/**
 * A connection for each mail. A pool would put a mail back in its queue by itself when a connection breaks, and so could send it twice
 * without our knowledge.
 */
function transporter(url: string): Transporter<SMTPSentMessageInfo> {
  return oncePerProcess('smtp-transport', () => {
    const created = nodemailer.createTransport({ ...smtpOptions(url), disableFileAccess: true, disableUrlAccess: true });
    created.use('stream', (mail, done) => {
      const { onWhole } = mail.data as MailData;
      // It is read to its end when the server has asked for it, and only the line that ends the message is missing.
      if (onWhole) mail.message.processFunc((message) => message.once('end', onWhole));
      done();
    });
    return created;
  });
}

interface MailData {
  /** Called before the line that ends the message goes out. */
  onWhole?(): void;
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
  ETLS: 'The mail server offers no encryption that can be used (SMTP_URL with ?tls=optional goes without)',
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

function rejectedByAll(rejected: readonly RejectedRecipient[]): SendFailure {
  const reasons = rejected.map(({ email, response }) => `${email}: ${response}`);
  const isPermanent = rejected.every((rejection) => rejection.isPermanent);
  return new SendFailure(reasons.join('; '), isPermanent, rejected);
}

function toSendFailure(error: SmtpError, recipients: readonly string[]): SendFailure {
  const rejected = rejectedOf(error.rejectedErrors, recipients);
  if (rejected.length > 0) return rejectedByAll(rejected);
  // What the library itself finds impossible (an address no envelope can hold, a mail over the server's limit) stays so.
  const isImpossible = !error.response && (error.code === 'EENVELOPE' || error.code === 'EMESSAGE');
  return new SendFailure(describe(error), isImpossible || (isRefusal(error) && mailCommands.has(error.command ?? '')));
}

const notInternational = (email: string): RejectedRecipient => ({
  email,
  isPermanent: true,
  response: 'The mail server takes no addresses with letters beyond ASCII before the @ (it does not offer SMTPUTF8)',
});

/** Those of the recipients that the server could never take, because their address needs an extension it does not offer. */
async function unreachable(url: string, { from, recipients }: OutboundMail, signal?: AbortSignal): Promise<RejectedRecipient[]> {
  const international = recipients.filter(needsSmtpUtf8);
  if ((international.length === 0 && !needsSmtpUtf8(from.email)) || (await offersSmtpUtf8(url, signal))) return [];
  return (needsSmtpUtf8(from.email) ? recipients : international).map(notInternational);
}

/**
 * Hands one mail to the server.
 *
 * @param signal gives up, whatever the server does
 * @throws SendFailure where it was taken for nobody
 * @throws SendInterrupted where `signal` ended it
 */
export async function sendOverSmtp(url: string, mail: OutboundMail, signal?: AbortSignal): Promise<SendResult> {
  let refused: RejectedRecipient[] = [];
  let isWhole = false;
  const onWhole = () => {
    isWhole = true;
  };
  try {
    refused = await unreachable(url, mail, signal);
    const recipients = mail.recipients.filter((email) => !refused.some((rejection) => rejection.email === email));
    if (recipients.length === 0) throw rejectedByAll(refused);
    // Without SMTPUTF8 in the envelope the headers have to be ASCII (RFC 6532 1): whose address can't be, is not mentioned.
    const isInternational = needsSmtpUtf8(mail.from.email) || recipients.some(needsSmtpUtf8);
    const named = (all: MailAddress[]) => all.filter(({ email }) => isInternational || !needsSmtpUtf8(email)).map(headerAddress);
    const interruptible: MailData & { signal?: AbortSignal } = { onWhole, ...(signal ? { signal } : {}) };
    const info = await transporter(url).sendMail({
      ...interruptible,
      messageId: mail.messageId,
      date: mail.date,
      from: headerAddress(mail.from),
      replyTo: named(mail.replyTo ? [mail.replyTo] : []),
      to: named(mail.to),
      cc: named(mail.cc),
      envelope: { from: mail.from.email, to: recipients },
      subject: headerText(mail.subject),
      text: mail.text,
      html: mail.html,
      ...(mail.calendar ? { icalEvent: { ...mail.calendar, filename: 'invite.ics' } } : {}),
      ...(mail.isAutomatic ? { headers: { 'Auto-Submitted': 'auto-generated' } } : {}),
      ...threadHeaders(mail.inReplyTo, mail.references),
    });
    const { rejectedErrors } = info as { rejectedErrors?: SmtpError[] };
    return { response: cleanLine(info.response), rejected: [...refused, ...rejectedOf(rejectedErrors, recipients)] };
  } catch (error) {
    if (error instanceof SendFailure) throw error;
    if (signal?.aborted) throw new SendInterrupted(isWhole);
    const { message, isPermanent, rejected } = toSendFailure(error as SmtpError, mail.recipients);
    throw new SendFailure(message, isPermanent, [...refused, ...rejected]);
  }
}

/** True where mail can leave this installation. */
export function canSendMail(): boolean {
  return env().SMTP_URL !== undefined;
}
