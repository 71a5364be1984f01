import { isIP } from 'node:net';
import { ImapFlow, type ImapFlowError } from 'imapflow';
import { errorCodes } from '../errors';
import { type ChosenServer, checkedHost } from '../fetch/checked-host';
import { OutboundFailed, OutboundRefused } from '../fetch/outbound-error';
import { cleanLine, cutText } from '../text';
import { MailboxProblem, type MailboxProblemCode } from './mailbox-problem';

/** Connections to mailboxes of other servers (IMAP, RFC 9051 and 3501). */

/** Ports of the public internet that may be used: with TLS at once, and with STARTTLS. */
export const imapPorts = { tls: 993, starttls: 143 } as const;

export type ImapSecurity = keyof typeof imapPorts;

export interface ImapServer extends ChosenServer {
  security: ImapSecurity;
  username: string;
  password: string;
  /** A certificate (PEM) that is trusted besides those that Node.js trusts. */
  ca?: string;
}

/** In milliseconds. A connection that is silent for longer is dead: it is asked something every two minutes. */
const limits = { connectionTimeout: 20_000, greetingTimeout: 20_000, socketTimeout: 180_000 };

/** In bytes. Messages come in pieces of 64 kB; the longest line is a list of the numbers of a million messages. */
const sizes = {
  maxLineLength: 16 * 1024 ** 2,
  maxLiteralSize: 4 * 1024 ** 2,
  maxResponseSize: 32 * 1024 ** 2,
  maxResponseTokens: 100_000,
};

/** Codes of Node.js for certificates that are not trusted. */
const certificateCode = /^(CERT_|ERR_TLS_CERT|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|ERR_TLS_HANDSHAKE_CERT|HOSTNAME_MISMATCH)/;

const unreachableCodes = new Set(['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'ECONNRESET', 'EPIPE']);
const silentCodes = new Set(['CONNECT_TIMEOUT', 'GREETING_TIMEOUT', 'UPGRADE_TIMEOUT', 'ETIMEOUT', 'ETIMEDOUT']);
const nameCodes = new Set(['ENOTFOUND', 'ENODATA', 'ESERVFAIL', 'ETIMEOUT_DNS', 'EAI_AGAIN', 'EBADNAME']);

/** Providers that take no ordinary password, and what they take. */
const appPasswords: readonly [host: RegExp, advice: string][] = [
  [
    /(^|\.)(gmail|googlemail|google)\.com$/,
    'Google needs an app password, which you create in your Google account under “Security”.',
  ],
  [/(^|\.)(mail\.yahoo|yahoo|aol)\.com$/, 'Yahoo needs an app password, which you create in your account under “Security”.'],
  [/(^|\.)(icloud|me)\.com$/, 'Apple needs an app-specific password, which you create at account.apple.com.'],
  [/(^|\.)(office365|outlook|hotmail|live)\.com$/, 'Microsoft accepts no passwords for IMAP.'],
];

/** What a server said, in one short line. */
const said = (text: string | undefined) => {
  const line = cutText(cleanLine(text ?? ''), 200);
  return line === '' ? '' : ` It said: ${line}`;
};

/** Why a connection failed, in words for people. */
export function mailboxProblem(
  error: unknown,
  { host, port, security }: Pick<ImapServer, 'host' | 'port' | 'security'>,
): MailboxProblem {
  if (error instanceof MailboxProblem) return error;
  const problem = (code: MailboxProblemCode, message: string) => new MailboxProblem(code, message, { cause: error });
  const where = `${host}:${port}`;
  if (error instanceof OutboundRefused) return problem('address_forbidden', error.message);
  if (error instanceof OutboundFailed) return problem('host_unknown', error.message);
  const failure = error as ImapFlowError;
  const codes = errorCodes(error);
  const has = (known: ReadonlySet<string>) => codes.some((code) => known.has(code));
  if (failure.authenticationFailed) {
    const advice = appPasswords.find(([provider]) => provider.test(host))?.[1];
    return problem(
      'credentials',
      `${host} refused the user name or password.${said(failure.responseText)}${advice ? ` ${advice}` : ''}`,
    );
  }
  if (codes.some((code) => certificateCode.test(code))) {
    return problem('certificate', `${host} has a certificate that can’t be trusted: ${cleanLine(failure.message)}.`);
  }
  if (has(nameCodes)) return problem('host_unknown', `The name ${host} is not known. Check how it is written.`);
  if (has(unreachableCodes))
    return problem('unreachable', `Nothing at ${where} accepts connections. Check the name and the port.`);
  if (has(silentCodes)) {
    const other = security === 'tls' ? 'STARTTLS' : 'TLS';
    return problem('no_answer', `${where} does not answer as a mail server would. Check the port; it may need ${other}.`);
  }
  if (failure.tlsFailed || codes.some((code) => code.startsWith('ERR_SSL') || code === 'EPROTO')) {
    return problem(
      'encryption',
      `${where} offers no encryption that can be used. Check the port, and whether it needs STARTTLS or TLS.`,
    );
  }
  if (failure.mailboxMissing) return problem('folder', `There is no such folder.${said(failure.responseText)}`);
  return problem('protocol', `${where} ended the connection.${said(failure.responseText ?? failure.reason)}`);
}

/** In bytes: the most that an answer may have. Lists of 50,000 numbers, or of 50 messages, have half a megabyte. */
const answerMaximum = 16 * 1024 ** 2;

/** In milliseconds: how often it is looked how much has come. */
const lookInterval = 100;

/**
 * Waits for what a server answers. Answers are kept in memory, so the connection is closed if the server sends more than that.
 * @throws MailboxProblem
 */
export async function answerOf<T>(
  client: ImapFlow,
  server: Pick<ImapServer, 'host' | 'port' | 'security'>,
  question: Promise<T>,
  maximum = answerMaximum,
): Promise<T> {
  const before = client.stats().received;
  let isFlooded = false;
  const look = setInterval(() => {
    if (client.stats().received - before <= maximum) return;
    isFlooded = true;
    client.close();
  }, lookInterval);
  const flooded = () => new MailboxProblem('protocol', `${server.host} sends more than it was asked for.`);
  try {
    const answer = await question;
    if (isFlooded) throw flooded();
    return answer;
  } catch (error) {
    throw isFlooded ? flooded() : mailboxProblem(error, server);
  } finally {
    clearInterval(look);
  }
}

/**
 * Signs in to a mailbox. The caller closes the connection.
 *
 * @param signal closes it
 * @throws MailboxProblem
 */
export async function openImap(server: ImapServer, signal: AbortSignal): Promise<ImapFlow> {
  const { host, port, security, username, password, ca } = server;
  try {
    const address = await checkedHost(server, Object.values(imapPorts), signal);
    const client = new ImapFlow({
      host: address,
      port,
      ...(isIP(host) === 0 ? { servername: host } : {}),
      ...(security === 'tls' ? { secure: true } : { secure: false, doSTARTTLS: true }),
      auth: { user: username, pass: password },
      ...(ca === undefined ? {} : { tls: { ca } }),
      clientInfo: { name: 'Frontdesk' },
      logger: false,
      disableCompression: true,
      // Waiting begins as soon as everything has been read.
      autoIdleDelay: 500,
      ...limits,
      ...sizes,
    });
    // What waits for an answer fails with it, or the end of the connection says so.
    client.on('error', () => undefined);
    const close = () => client.close();
    signal.addEventListener('abort', close, { once: true });
    client.once('close', () => signal.removeEventListener('abort', close));
    signal.throwIfAborted();
    await answerOf(client, server, client.connect());
    return client;
  } catch (error) {
    signal.throwIfAborted();
    throw mailboxProblem(error, server);
  }
}
