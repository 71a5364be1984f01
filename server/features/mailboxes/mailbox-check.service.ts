import type { ImapFlow } from 'imapflow';
import type { IdentityActor } from '@/server/platform/actor';
import { countMailboxCheck } from '@/server/platform/auth/sign-in-throttle';
import { pool } from '@/server/platform/db/pool';
import { AppError, notFound } from '@/server/platform/errors';
import { answerOf, type ImapServer, imapPorts, mailboxProblem, openImap } from '@/server/platform/mail/imap-connection';
import { MailboxProblem } from '@/server/platform/mail/mailbox-problem';
import { findMailbox, toMailbox } from './mailbox.record';
import type { CheckMailboxInput, Mailbox, MailboxCheck } from './mailbox.schema';
import { readMailboxJob } from './mailbox-job';

/** How long a server may take to answer everything, in milliseconds. */
const patience = 30_000;

const foldersMaximum = 200;

/** @throws AppError rate_limit_exceeded after thirty in an hour */
async function countCheck(identityId: string): Promise<void> {
  const retryAfter = await countMailboxCheck(identityId);
  if (retryAfter === null) return;
  const headers = { 'Retry-After': String(retryAfter) };
  throw new AppError('rate_limit_exceeded', 'Too many mailboxes were tried. Try again later.', { headers });
}

async function look(client: ImapFlow, folder: string): Promise<MailboxCheck> {
  const listed = await client.list();
  const folders = listed.filter(({ flags }) => !flags.has('\\Noselect')).map(({ path }) => path);
  const { exists } = await client.mailboxOpen(folder, { readOnly: true });
  return { problem: null, folders: folders.slice(0, foldersMaximum), messages: exists };
}

async function tryOut(server: ImapServer, folder: string): Promise<MailboxCheck> {
  const signal = AbortSignal.timeout(patience);
  let client: ImapFlow | undefined;
  try {
    client = await openImap(server, signal);
    return await answerOf(client, server, look(client, folder));
  } catch (error) {
    const silent = new MailboxProblem('no_answer', `${server.host}:${server.port} takes too long to answer.`, { cause: error });
    const { code, message } = signal.aborted ? silent : mailboxProblem(error, server);
    return { problem: { code, message }, folders: [], messages: null };
  } finally {
    client?.close();
  }
}

/**
 * `POST /mailboxes/check`: signs in, and looks at the folder. Nothing is stored.
 * @throws AppError rate_limit_exceeded after thirty in an hour
 */
export async function checkMailbox({ identityId }: IdentityActor, input: CheckMailboxInput): Promise<MailboxCheck> {
  await countCheck(identityId);
  const { address, host, security, password, folder } = input;
  const { port = imapPorts[security], username = address } = input;
  return tryOut({ host, port, security, username, password }, folder);
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
