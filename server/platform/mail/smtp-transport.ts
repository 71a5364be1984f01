import nodemailer, { type SMTPSentMessageInfo, type Transporter } from 'nodemailer';
import { env } from '../env';
import { cleanLine } from '../text';
import { emailContent, type WrittenEmail } from './email-content';
import { normalizeAddress } from './mail-addresses';
import { headerAddress, needsSmtpUtf8 } from './outgoing-headers';
import type { MailAddress } from './parsed-mail';
import { offersSmtpUtf8, type SmtpOptions, smtpOptions } from './smtp-options';

/** A server that takes mail. */
export interface SmtpTarget {
  options: SmtpOptions;
  /** Where its user and password come from, for messages. */
  credentialsOf: string;
}

/** The server of SMTP_URL. */
export const operatorTarget = (url: string): SmtpTarget => ({ options: smtpOptions(url), credentialsOf: 'SMTP_URL' });

/** A mail to send. */
export interface OutboundMail extends WrittenEmail {
  /** Envelope recipients: the actual recipients. */
  recipients: string[];
  /**
   * An iTIP object: sent as an alternative to text and HTML, and attached as a file for programs that look only there (RFC
   * 6047).
   */
  calendar?: { method: 'REQUEST' | 'CANCEL'; content: string } | undefined;
  /** RFC 3834: marked as `Auto-Submitted`. */
  isAutomatic?: boolean | undefined;
}

/** A recipient refused by the server. */
export interface RejectedRecipient {
  email: string;
  /** True if retrying is useless (a 5xx response). */
  isPermanent: boolean;
  /** The server's response. */
  response: string;
}

export interface SendResult {
  /** The server's response on acceptance. */
  response: string;
  /** Usually empty; the other recipients were accepted. */
  rejected: RejectedRecipient[];
}

/** The server accepted no recipient. `message` is the reason, for people. */
export class SendFailure extends Error {
  override name = 'SendFailure';

  constructor(
    message: string,
    /** True if retrying is useless: the server permanently refused sender, message or all recipients. */
    readonly isPermanent: boolean,
    /** Its response per recipient; empty if the sender or the message itself was refused. */
    readonly rejected: readonly RejectedRecipient[] = [],
  ) {
    super(message);
  }
}

/** Sending was aborted before the server had responded. */
export class SendInterrupted extends Error {
  override name = 'SendInterrupted';

  constructor(
    /** True if the server has the whole message and may accept it. */
    readonly mayBeAccepted: boolean,
  ) {
    super('Sending was interrupted.');
  }
}

/**
 * One connection per mail. A pool automatically requeues a mail when a connection breaks, and so could send it twice without
 * our knowledge.
 */
function transporter({ options }: SmtpTarget): Transporter<SMTPSentMessageInfo> {
  const created = nodemailer.createTransport({ ...options, disableFileAccess: true, disableUrlAccess: true });
  created.use('stream', (mail, done) => {
    const { onWhole } = mail.data as MailData;
    // The stream ends after the server has asked for the message; only the terminating line is then missing.
    if (onWhole) mail.message.processFunc((message) => message.once('end', onWhole));
    done();
  });
  return created;
}

interface MailData {
  /** Called before the terminating line is sent. */
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

/**
 * True for a permanent refusal. Missing authentication or TLS (530, RFC 4954 and 3207) is our configuration, whatever the code.
 */
function isRefusal({ responseCode = 0 }: SmtpError): boolean {
  return responseCode >= 500 && responseCode < 600 && responseCode !== 530;
}

/** SMTP commands about the mail itself; refusals of others concern our configuration, password or address. */
const mailCommands = new Set(['MAIL FROM', 'RCPT TO', 'DATA', 'BDAT']);

const explanations = ({ credentialsOf }: SmtpTarget): Record<string, string> => ({
  EAUTH: `The mail server refused the user or password of ${credentialsOf}`,
  ECONNECTION: 'The connection to the mail server broke',
  ESOCKET: 'The mail server could not be reached',
  ETIMEDOUT: 'The mail server did not answer in time',
  EDNS: 'The name of the mail server could not be looked up',
  ETLS: `The mail server offers no encryption that can be used${credentialsOf === 'SMTP_URL' ? ' (SMTP_URL with ?tls=optional goes without)' : ''}`,
});

/** One storable line, whatever bytes the server sent. */
function describe(error: SmtpError, target: SmtpTarget): string {
  const response = cleanLine(error.response ?? '');
  const message = response || cleanLine(error.message);
  const prefix = explanations(target)[error.code ?? ''];
  return prefix && !(response && mailCommands.has(error.command ?? '')) ? `${prefix}: ${message}` : message;
}

/** A canonical form of an address: the library sends recipients with their domain in ASCII and the local part unquoted. */
function comparableAddress(address: string): string {
  return normalizeAddress(address).replace(/^"(.*)"@/, (_, quoted: string) => `${quoted.replaceAll(/\\(.)/g, '$1')}@`);
}

/** The refused recipients, with the addresses we know. */
function rejectedOf(
  errors: readonly SmtpError[] | undefined,
  recipients: readonly string[],
  target: SmtpTarget,
): RejectedRecipient[] {
  if (!errors?.length) return [];
  const known = new Map(recipients.map((email) => [comparableAddress(email), email]));
  return errors.map((error) => ({
    email: known.get(comparableAddress(error.recipient ?? '')) ?? error.recipient ?? '',
    isPermanent: isRefusal(error),
    response: describe(error, target),
  }));
}

function rejectedByAll(rejected: readonly RejectedRecipient[]): SendFailure {
  const reasons = rejected.map(({ email, response }) => `${email}: ${response}`);
  const isPermanent = rejected.every((rejection) => rejection.isPermanent);
  return new SendFailure(reasons.join('; '), isPermanent, rejected);
}

function toSendFailure(error: SmtpError, recipients: readonly string[], target: SmtpTarget): SendFailure {
  const rejected = rejectedOf(error.rejectedErrors, recipients, target);
  if (rejected.length > 0) return rejectedByAll(rejected);
  // Errors of the library itself (an invalid envelope address, a mail over the server's limit) are permanent.
  const isImpossible = !error.response && (error.code === 'EENVELOPE' || error.code === 'EMESSAGE');
  return new SendFailure(describe(error, target), isImpossible || (isRefusal(error) && mailCommands.has(error.command ?? '')));
}

const notInternational = (email: string): RejectedRecipient => ({
  email,
  isPermanent: true,
  response: 'The mail server takes no addresses with letters beyond ASCII before the @ (it does not offer SMTPUTF8)',
});

/** Recipients the server can never accept, because their address needs an extension it does not offer. */
async function unsupportedRecipients(
  { options }: SmtpTarget,
  { from, recipients }: OutboundMail,
  signal?: AbortSignal,
): Promise<RejectedRecipient[]> {
  const international = recipients.filter(needsSmtpUtf8);
  if ((international.length === 0 && !needsSmtpUtf8(from.email)) || (await offersSmtpUtf8(options, signal))) return [];
  return (needsSmtpUtf8(from.email) ? recipients : international).map(notInternational);
}

/**
 * Sends one mail to the server.
 * @param signal aborts at any time
 * @throws SendFailure if no recipient was accepted
 * @throws SendInterrupted if `signal` aborted it
 */
export async function sendOverSmtp(target: SmtpTarget, mail: OutboundMail, signal?: AbortSignal): Promise<SendResult> {
  let refused: RejectedRecipient[] = [];
  let isWhole = false;
  const onWhole = () => {
    isWhole = true;
  };
  try {
    refused = await unsupportedRecipients(target, mail, signal);
    const recipients = mail.recipients.filter((email) => !refused.some((rejection) => rejection.email === email));
    if (recipients.length === 0) throw rejectedByAll(refused);
    // Without SMTPUTF8 in the envelope the headers must be ASCII (RFC 6532 1), so non-ASCII addresses are omitted from them.
    const isInternational = needsSmtpUtf8(mail.from.email) || recipients.some(needsSmtpUtf8);
    const named = (all: MailAddress[]) => all.filter(({ email }) => isInternational || !needsSmtpUtf8(email)).map(headerAddress);
    const interruptible: MailData & { signal?: AbortSignal } = { onWhole, ...(signal ? { signal } : {}) };
    const info = await transporter(target).sendMail({
      ...interruptible,
      ...emailContent(mail, named),
      envelope: { from: mail.from.email, to: recipients },
      ...(mail.calendar ? { icalEvent: { ...mail.calendar, filename: 'invite.ics' } } : {}),
      ...(mail.isAutomatic ? { headers: { 'Auto-Submitted': 'auto-generated' } } : {}),
    });
    const { rejectedErrors } = info as { rejectedErrors?: SmtpError[] };
    return { response: cleanLine(info.response), rejected: [...refused, ...rejectedOf(rejectedErrors, recipients, target)] };
  } catch (error) {
    if (error instanceof SendFailure) throw error;
    if (signal?.aborted) throw new SendInterrupted(isWhole);
    const { message, isPermanent, rejected } = toSendFailure(error as SmtpError, mail.recipients, target);
    throw new SendFailure(message, isPermanent, [...refused, ...rejected]);
  }
}

/** True if outgoing mail is configured. */
export function canSendMail(): boolean {
  return env().SMTP_URL !== undefined;
}
