import { pool } from '@/server/platform/db/pool';
import { toAppError } from '@/server/platform/errors';
import { log } from '@/server/platform/log';
import { MailboxProblem } from '@/server/platform/mail/mailbox-problem';
import { dropAccessToken } from '../mailbox-sign-in/mailbox-login.service';
import { findMailbox, type MailboxRow, serverOf } from './mailbox.record';
import { type ReadMailbox, readMailboxJob } from './mailbox-job';
import { readMailbox, type Session } from './mailbox-reader';
import { noteProblem } from './mailbox-state';

/** Seconds until a mailbox that could not be read is tried again: servers lock out users whose password is wrong too often. */
function pauseAfter(code: MailboxProblem['code'], failures: number): number {
  const [first, most] = code === 'credentials' ? [600, 7_200] : [30, 1_800];
  return Math.min(most, first * 2 ** Math.min(10, failures - 1));
}

const keyOf = ({ identityId, id: mailboxId }: MailboxRow): ReadMailbox => ({ identityId, mailboxId });

async function readOnce(row: MailboxRow, signal: AbortSignal): Promise<Session> {
  try {
    const session = await readMailbox({ row, server: await serverOf(row) }, signal);
    if (row.provider !== null && session.problem?.code === 'credentials') await dropAccessToken(keyOf(row));
    return session;
  } catch (error) {
    if (error instanceof MailboxProblem) return { hasRead: false, problem: error };
    // The job is run again as soon as the database can be reached.
    if (signal.aborted || toAppError(error).code === 'unavailable') throw error;
    log().error({ err: error, mailboxId: row.id }, 'a mailbox could not be read');
    const problem = new MailboxProblem('internal', 'An email could not be stored. The log of the server says why.', {
      cause: error,
    });
    return { hasRead: false, problem };
  }
}

/** The work of a mailbox's job, which schedules the next one. Nothing is lost if it ends at any time: the job runs again. */
export async function readScheduled(key: ReadMailbox, signal: AbortSignal): Promise<void> {
  const { identityId, mailboxId } = key;
  const row = await findMailbox(pool(), identityId, mailboxId);
  if (!row || row.isPaused) return;
  const { hasRead, problem } = await readOnce(row, signal);
  let inSeconds = 0;
  // A connection that ends after it was used is nothing to report; if there is no other one, that is.
  if (problem && hasRead) inSeconds = 5;
  else if (problem) {
    inSeconds = pauseAfter(problem.code, await noteProblem(key, problem));
    log().warn({ mailboxId, problem: problem.code, inSeconds }, 'a mailbox can’t be read');
  }
  await readMailboxJob.schedule(pool(), { key: mailboxId, payload: key, inSeconds, orSooner: true });
}

export const mailboxReading = readMailboxJob.handledBy(({ payload, signal }) => readScheduled(payload, signal), {
  isWaiting: true,
});
