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
  const { port, security, username, password, ca } = server;
  try {
    return {
      ...(await addressOf(server, 'submission', signal)),
      port,
      secure: security === 'tls',
      requireTLS: security === 'starttls',
      auth: { user: username, pass: password },
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

/**
 * Signs in, and sends nothing.
 * @throws MailboxProblem
 */
export async function trySubmission(server: MailServer, signal: AbortSignal): Promise<void> {
  const options = await submissionOptions(server, signal);
  try {
    await nodemailer.createTransport({ ...options, ...trialTimeouts }).verify();
  } catch (error) {
    throw submissionProblem(error, server);
  }
}
