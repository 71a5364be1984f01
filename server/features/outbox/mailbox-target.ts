import { pool } from '@/server/platform/db/pool';
import { rows } from '@/server/platform/db/sql';
import type { MailSecurity } from '@/server/platform/mail/mail-server';
import { MailboxProblem } from '@/server/platform/mail/mailbox-problem';
import { SendFailure, SendInterrupted, type SmtpTarget } from '@/server/platform/mail/smtp-transport';
import { submissionOptions } from '@/server/platform/mail/submission';
import type { MailProvider } from '../mailbox-sign-in/mail-provider.schema';
import { loginOf } from '../mailbox-sign-in/mailbox-login.service';
import { sendingMailboxes } from '../mailboxes/mailbox.sql';

interface SendingMailbox {
  address: string;
  host: string;
  port: number;
  security: MailSecurity;
  username: string;
  /** Encrypted; null with a provider. */
  password: string | null;
  provider: MailProvider | null;
}

/**
 * The server of the mailbox that a mail is sent from: only that may send from its address, which is proven to nothing else.
 * @throws SendFailure; SendInterrupted if `signal` aborted it
 */
export async function mailboxTarget(identityId: string, mailboxId: string, signal: AbortSignal): Promise<SmtpTarget> {
  const [found] = await rows<SendingMailbox>(pool(), {
    name: 'outbox-mailbox',
    text: `SELECT address, host, port, security, username, password, provider FROM ${sendingMailboxes} m WHERE identity_id = $1 AND id = $2`,
    values: [identityId, mailboxId],
  });
  if (!found) throw new SendFailure('The mailbox that it was to be sent by is disconnected, or sends nothing.', true);
  const { address, password, provider, ...server } = found;
  try {
    const login = await loginOf({ identityId, mailboxId, provider, password });
    return { options: await submissionOptions({ ...server, ...login }, signal), credentialsOf: `the mailbox ${address}` };
  } catch (error) {
    if (signal.aborted) throw new SendInterrupted(false);
    throw error instanceof MailboxProblem ? new SendFailure(error.message, false) : error;
  }
}
