import { connect, type Socket } from 'node:net';
import nodemailer from 'nodemailer';
import { addressOf, type MailServer } from './mail-server';
import { connectionProblem, MailboxProblem } from './mailbox-problem';
import { type SmtpOptions, smtpTimeouts } from './smtp-options';

/** Sending by the server of a mailbox, signed in as its user (submission, RFC 6409). */

/**
 * How to connect to it; valid for one connection, since its name may have another address a moment later.
 * @throws MailboxProblem if it may not be connected to
 */
export async function submissionOptions(server: MailServer, signal: AbortSignal): Promise<SmtpOptions> {
  const { port, security, username: user, password, accessToken, ca } = server;
  try {
    return {
      ...(await addressOf(server, 'submission', signal)),
      port,
      secure: security === 'tls',
      requireTLS: security === 'starttls',
      auth: accessToken === undefined ? { user, pass: password } : { type: 'OAuth2', user, accessToken },
      // A server that offers no sign-in is none for members.
      forceAuth: true,
      ...(ca === undefined ? {} : { tls: { ca } }),
      ...smtpTimeouts,
    };
  } catch (error) {
    signal.throwIfAborted();
    throw submissionProblem(error, server);
  }
}

/** Why it can't be sent by, in words for people. */
function submissionProblem(error: unknown, server: MailServer): MailboxProblem {
  if (error instanceof MailboxProblem) return error;
  const { code, response } = error as { code?: string; response?: string };
  return connectionProblem({ error, isRefused: code === 'EAUTH', response, isUnencrypted: code === 'ETLS' }, server);
}

/** In milliseconds, for each answer: someone waits for the result. */
const trialTimeouts = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 10_000 };

type OnSocket = (error: Error | null, options?: { connection: Socket }) => void;

/** Opens connections that end with the signal, however slowly the server answers. */
const endingWith =
  (signal: AbortSignal) =>
  ({ host = '', port = 0 }: SmtpOptions, done: OnSocket) => {
    const socket = connect({ host, port: Number(port), signal, timeout: trialTimeouts.connectionTimeout });
    const late = () => socket.destroy(Object.assign(new Error('No connection in time.'), { code: 'ETIMEDOUT' }));
    socket.once('error', done);
    socket.once('timeout', late);
    socket.once('connect', () => {
      socket.off('error', done).off('timeout', late).setTimeout(0);
      done(null, { connection: socket });
    });
  };

/**
 * Signs in, and sends nothing.
 * @param signal ends it at once
 * @throws MailboxProblem
 */
export async function trySubmission(server: MailServer, signal: AbortSignal): Promise<void> {
  const options = await submissionOptions(server, signal);
  try {
    await nodemailer.createTransport({ ...options, ...trialTimeouts, getSocket: endingWith(signal) }).verify();
  } catch (error) {
    throw submissionProblem(error, server);
  }
}
