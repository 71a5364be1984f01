import { errorCodes } from '../errors';
import { OutboundFailed, OutboundRefused } from '../fetch/outbound-error';
import { cleanLine, cutText } from '../text';
import type { MailServer } from './mail-server';

/** Why a mailbox can't be read, or sent from. */
export type MailboxProblemCode =
  | 'address_forbidden'
  | 'host_unknown'
  | 'unreachable'
  | 'no_answer'
  | 'certificate'
  | 'encryption'
  | 'credentials'
  | 'folder'
  | 'protocol'
  | 'storage_full'
  | 'internal';

/** A mailbox can't be read, or sent from. `message` says why, for people. */
export class MailboxProblem extends Error {
  override name = 'MailboxProblem';

  constructor(
    readonly code: MailboxProblemCode,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** Codes of Node.js for certificates that are not trusted. */
const certificateCode = /^(CERT_|ERR_TLS_CERT|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|ERR_TLS_HANDSHAKE_CERT|HOSTNAME_MISMATCH)/;

const unreachableCodes = new Set(['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'ECONNRESET', 'EPIPE']);
const silentCodes = new Set(['CONNECT_TIMEOUT', 'GREETING_TIMEOUT', 'UPGRADE_TIMEOUT', 'ETIMEOUT', 'ETIMEDOUT']);
const nameCodes = new Set(['ENOTFOUND', 'ENODATA', 'ESERVFAIL', 'ETIMEOUT_DNS', 'EAI_AGAIN', 'EBADNAME']);

/** Providers that take no ordinary password, and what they take. */
const appPasswords: readonly [host: RegExp, advice: string][] = [
  [
    /(^|\.)(gmail|googlemail|google)\.com$/,
    'Sign in at Google instead, or use an app password, which you create in your Google account under “Security”.',
  ],
  [/(^|\.)(mail\.yahoo|yahoo|aol)\.com$/, 'Yahoo needs an app password, which you create in your account under “Security”.'],
  [/(^|\.)(icloud|me)\.com$/, 'Apple needs an app-specific password, which you create at account.apple.com.'],
  [/(^|\.)(office365|outlook|hotmail|live)\.com$/, 'Microsoft accepts no passwords for IMAP: sign in at Microsoft instead.'],
];

/** What a server said, in one short line behind a sentence. */
export const said = (text: string | undefined) => {
  const line = cutText(cleanLine(text ?? ''), 200);
  return line === '' ? '' : ` It said: ${line}`;
};

/** What a failed connection is about. */
interface Failure {
  error: unknown;
  /** True if the server refused the user or password. */
  isRefused: boolean;
  /** What the server said. */
  response: string | undefined;
  /** True if no encryption could be agreed on. */
  isUnencrypted: boolean;
}

/** What is said of a server. */
export type ServerInWords = Pick<MailServer, 'host' | 'port' | 'security' | 'username' | 'accessToken'>;

/** Why a connection failed, in words for people. */
export function connectionProblem(
  { error, isRefused, response, isUnencrypted }: Failure,
  { host, port, security, username, accessToken }: ServerInWords,
): MailboxProblem {
  const problem = (code: MailboxProblemCode, message: string) => new MailboxProblem(code, message, { cause: error });
  const where = `${host}:${port}`;
  if (error instanceof OutboundRefused) return problem('address_forbidden', error.message);
  if (error instanceof OutboundFailed) return problem('host_unknown', error.message);
  const codes = errorCodes(error);
  const has = (known: ReadonlySet<string>) => codes.some((code) => known.has(code));
  if (isRefused && accessToken !== undefined) {
    const advice = 'Sign in with the account of this mailbox, and allow IMAP and SMTP there.';
    return problem('credentials', `${host} refused ${username}.${said(response)} ${advice}`);
  }
  if (isRefused) {
    const advice = appPasswords.find(([provider]) => provider.test(host))?.[1];
    return problem('credentials', `${host} refused the user name or password.${said(response)}${advice ? ` ${advice}` : ''}`);
  }
  const message = error instanceof Error ? cleanLine(error.message) : '';
  if (codes.some((code) => certificateCode.test(code))) {
    return problem('certificate', `${host} has a certificate that can’t be trusted: ${message}.`);
  }
  if (has(nameCodes)) return problem('host_unknown', `The name ${host} is not known. Check how it is written.`);
  if (has(unreachableCodes))
    return problem('unreachable', `Nothing at ${where} accepts connections. Check the name and the port.`);
  if (has(silentCodes)) {
    const other = security === 'tls' ? 'STARTTLS' : 'TLS';
    return problem('no_answer', `${where} does not answer as a mail server would. Check the port; it may need ${other}.`);
  }
  if (isUnencrypted || codes.some((code) => code.startsWith('ERR_SSL') || code === 'EPROTO')) {
    return problem(
      'encryption',
      `${where} offers no encryption that can be used. Check the port, and whether it needs STARTTLS or TLS.`,
    );
  }
  return problem('protocol', `${where} ended the connection.${said(response)}`);
}
