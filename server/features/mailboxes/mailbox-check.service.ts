import type { ImapFlow } from 'imapflow';
import type { IdentityActor } from '@/server/platform/actor';
import { countMailboxCheck } from '@/server/platform/auth/sign-in-throttle';
import { pool } from '@/server/platform/db/pool';
import { AppError, notFound } from '@/server/platform/errors';
import { answerOf, imapProblem, openImap } from '@/server/platform/mail/imap-connection';
import { type MailServer, mailPorts } from '@/server/platform/mail/mail-server';
import { MailboxProblem } from '@/server/platform/mail/mailbox-problem';
import { trySubmission } from '@/server/platform/mail/submission';
import { findMailbox, submissionServer, toMailbox } from './mailbox.record';
import type { CheckMailboxInput, Mailbox, MailboxCheck } from './mailbox.schema';
import { readMailboxJob } from './mailbox-job';

/** How long a server may take to answer everything, in milliseconds. */
const patience = 30_000;

const foldersMaximum = 200;

/** @throws AppError rate_limit_exceeded after thirty in an hour */
export async function countCheck(identityId: string): Promise<void> {
  const retryAfter = await countMailboxCheck(identityId);
  if (retryAfter === null) return;
  const headers = { 'Retry-After': String(retryAfter) };
  throw new AppError('rate_limit_exceeded', 'Too many mailboxes were tried. Try again later.', { headers });
}

type Reading = Omit<MailboxCheck, 'outgoingProblem'>;

async function look(client: ImapFlow, folder: string): Promise<Reading> {
  const listed = await client.list();
  const folders = listed.filter(({ flags }) => !flags.has('\\Noselect')).map(({ path }) => path);
  const { exists } = await client.mailboxOpen(folder, { readOnly: true });
  return { problem: null, folders: folders.slice(0, foldersMaximum), messages: exists };
}

/** What clients see of a problem. */
function shown(problem: MailboxProblem, { host, port }: MailServer, signal: AbortSignal): NonNullable<MailboxCheck['problem']> {
  const silent = new MailboxProblem('no_answer', `${host}:${port} takes too long to answer.`);
  const { code, message } = signal.aborted ? silent : problem;
  return { code, message };
}

async function tryReading(server: MailServer, folder: string, signal: AbortSignal): Promise<Reading> {
  let client: ImapFlow | undefined;
  try {
    client = await openImap(server, signal);
    return await answerOf(client, server, look(client, folder));
  } catch (error) {
    return { problem: shown(imapProblem(error, server), server, signal), folders: [], messages: null };
  } finally {
    client?.close();
  }
}

async function trySending(server: MailServer, signal: AbortSignal): Promise<MailboxCheck['problem']> {
  try {
    await trySubmission(server, signal);
    return null;
  } catch (error) {
    if (!signal.aborted && !(error instanceof MailboxProblem)) throw error;
    return shown(error as MailboxProblem, server, signal);
  }
}

/** Signs in to both servers, and looks at the folder. @param outgoing null for none */
export async function tryOut(server: MailServer, folder: string, outgoing: MailServer | null): Promise<MailboxCheck> {
  const signal = AbortSignal.timeout(patience);
  const [reading, outgoingProblem] = await Promise.all([
    tryReading(server, folder, signal),
    outgoing && trySending(outgoing, signal),
  ]);
  return { ...reading, outgoingProblem };
}

/**
 * `POST /mailboxes/check`: signs in to both servers, and looks at the folder. Nothing is stored, and nothing sent.
 * @throws AppError rate_limit_exceeded after thirty in an hour
 */
export async function checkMailbox({ identityId }: IdentityActor, input: CheckMailboxInput): Promise<MailboxCheck> {
  await countCheck(identityId);
  const { address, host, security, password, folder, outgoing } = input;
  const { port = mailPorts.imap[security], username = address } = input;
  const server = { host, port, security, username, password };
  return tryOut(server, folder, outgoing && { password, ...submissionServer(outgoing, username) });
}

/**
 * `POST /mailboxes/{mailboxId}/read`: one that fails is tried again now, instead of after a pause.
 * @throws AppError not_found; rate_limit_exceeded after thirty in an hour
 */
export async function readNow({ identityId }: IdentityActor, mailboxId: string): Promise<Mailbox> {
  const found = await findMailbox(pool(), identityId, mailboxId);
  if (!found) throw notFound();
  await countCheck(identityId);
  if (!found.isPaused) await readMailboxJob.schedule(pool(), { key: mailboxId, payload: { identityId, mailboxId } });
  return toMailbox(found);
}
