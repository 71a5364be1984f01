import { ImapFlow, type ImapFlowError } from 'imapflow';
import { addressOf, type MailServer } from './mail-server';
import { connectionProblem, MailboxProblem, type ServerInWords, said } from './mailbox-problem';

/** Connections to mailboxes of other servers (IMAP, RFC 9051 and 3501). */

/** In milliseconds. A connection that is silent for longer is dead: it is asked something every two minutes. */
const limits = { connectionTimeout: 20_000, greetingTimeout: 20_000, socketTimeout: 180_000 };

/** In bytes. Messages come in pieces of 64 kB; the longest line is a list of the numbers of a million messages. */
const sizes = {
  maxLineLength: 16 * 1024 ** 2,
  maxLiteralSize: 4 * 1024 ** 2,
  maxResponseSize: 32 * 1024 ** 2,
  maxResponseTokens: 100_000,
};

/** Why a connection failed, in words for people. */
export function imapProblem(error: unknown, server: ServerInWords): MailboxProblem {
  if (error instanceof MailboxProblem) return error;
  const { authenticationFailed = false, tlsFailed = false, mailboxMissing, responseText, reason } = error as ImapFlowError;
  if (mailboxMissing) return new MailboxProblem('folder', `There is no such folder.${said(responseText)}`, { cause: error });
  return connectionProblem(
    { error, isRefused: authenticationFailed, response: responseText ?? reason, isUnencrypted: tlsFailed },
    server,
  );
}

/** In bytes: the most that an answer may have. Half of it are 50,000 numbers. */
const answerMaximum = 1024 ** 2;

/** In milliseconds: how often it is looked how much has come. */
const lookInterval = 100;

/**
 * Waits for what a server answers. Answers are kept in memory, so the connection is closed if the server sends more than that.
 * @throws MailboxProblem
 */
export async function answerOf<T>(
  client: ImapFlow,
  server: ServerInWords,
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
    throw isFlooded ? flooded() : imapProblem(error, server);
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
export async function openImap(server: MailServer, signal: AbortSignal): Promise<ImapFlow> {
  const { port, security, username, password, accessToken, ca } = server;
  try {
    const client = new ImapFlow({
      ...(await addressOf(server, 'imap', signal)),
      port,
      ...(security === 'tls' ? { secure: true } : { secure: false, doSTARTTLS: true }),
      auth: accessToken === undefined ? { user: username, pass: password } : { user: username, accessToken },
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
    throw imapProblem(error, server);
  }
}
