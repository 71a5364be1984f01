import { pool } from '@/server/platform/db/pool';
import { rows } from '@/server/platform/db/sql';
import { transaction } from '@/server/platform/db/transaction';
import type { MailboxProblem, MailboxProblemCode } from '@/server/platform/mail/mailbox-problem';
import { notifyFailingMailbox, withdrawFailingMailbox } from '../notifications/notification-causes.service';
import type { ReadMailbox } from './mailbox-job';

/** How far a mailbox has been read, and whether it can be. */

/** A numbering of messages, and what is to be read of it. */
export interface Beginning {
  uidValidity: string;
  /** Messages up to this one are not read. */
  lastUid: number;
  importLastUid: number;
  importSince: Date;
  importTotal: number;
}

/** Begins with a mailbox, or with another numbering of its messages. */
export async function noteBeginning({ identityId, mailboxId }: ReadMailbox, beginning: Beginning): Promise<void> {
  const { uidValidity, lastUid, importLastUid, importSince, importTotal } = beginning;
  await pool().query({
    name: 'mailbox-begin',
    text: `UPDATE mailbox_states SET uid_validity = $3, last_uid = $4, import_last_uid = $5, import_since = $6, import_total = $7, import_done = 0
      WHERE identity_id = $1 AND mailbox_id = $2`,
    values: [identityId, mailboxId, uidValidity, lastUid, importLastUid, importSince, importTotal],
  });
}

interface Progress {
  uidValidity: string;
  uid: number;
  /** Messages since the last progress, and whether one of them is new here. */
  read: number;
  isNew: boolean;
}

/** Notes that messages up to this one have been read. @returns false if it is read from somewhere else now, or is gone */
export async function noteProgress({ identityId, mailboxId }: ReadMailbox, progress: Progress): Promise<boolean> {
  const { uidValidity, uid, read, isNew } = progress;
  const found = await rows(pool(), {
    name: 'mailbox-progress',
    text: `UPDATE mailbox_states SET last_uid = greatest(last_uid, $4),
        import_done = CASE WHEN $4 <= import_last_uid THEN least(import_total, import_done + $5) ELSE import_done END,
        received_at = CASE WHEN $6 THEN now() ELSE received_at END
      WHERE identity_id = $1 AND mailbox_id = $2 AND uid_validity = $3 RETURNING 1`,
    values: [identityId, mailboxId, uidValidity, uid, read, isNew],
  });
  return found.length > 0;
}

/** It follows from what servers say, not from a user. */
const author = { kind: 'system', cause: 'mail' } as const;

/** Notes that everything in a mailbox has been read. */
export async function noteChecked({ identityId, mailboxId }: ReadMailbox): Promise<void> {
  const [before] = await rows<{ failures: number }>(pool(), {
    name: 'mailbox-checked',
    text: `UPDATE mailbox_states SET checked_at = now(), import_done = coalesce(import_total, 0), last_uid = greatest(last_uid, import_last_uid)
      WHERE identity_id = $1 AND mailbox_id = $2 AND uid_validity IS NOT NULL RETURNING failures`,
    values: [identityId, mailboxId],
  });
  if (!before || before.failures === 0) return;
  await transaction(author, async (client) => {
    await client.query({
      name: 'mailbox-recovered',
      text: `UPDATE mailbox_states SET failing_since = NULL, failures = 0, problem = NULL, detail = NULL
        WHERE identity_id = $1 AND mailbox_id = $2`,
      values: [identityId, mailboxId],
    });
    await withdrawFailingMailbox(client, identityId, mailboxId);
  });
}

/** So many failures are no passing ones: the fifth comes after seven minutes. Those that only people can mend count at once. */
const failuresUntilNotice = 5;
const forPeople: ReadonlySet<MailboxProblemCode> = new Set(['credentials', 'folder', 'certificate', 'storage_full']);

/** @returns how often it has failed since it could be read last */
export async function noteProblem({ identityId, mailboxId }: ReadMailbox, { code, message }: MailboxProblem): Promise<number> {
  return transaction(author, async (client) => {
    const [row] = await rows<{ failures: number; address: string }>(client, {
      name: 'mailbox-problem',
      text: `UPDATE mailbox_states s SET failing_since = coalesce(failing_since, now()), failures = failures + 1, problem = $3, detail = $4
        FROM mailboxes m WHERE s.identity_id = $1 AND s.mailbox_id = $2 AND m.identity_id = $1 AND m.id = $2
        RETURNING s.failures, m.address`,
      values: [identityId, mailboxId, code, message.slice(0, 1_000)],
    });
    if (!row) return 0;
    const { failures, address } = row;
    if (forPeople.has(code) || failures >= failuresUntilNotice) {
      await notifyFailingMailbox(client, { identityId, mailboxId, address }, author);
    }
    return failures;
  });
}

/** Whether a mailbox is still to be read as it was. */
export async function isUnchanged({ identityId, mailboxId }: ReadMailbox, revision: number): Promise<boolean> {
  const found = await rows(pool(), {
    name: 'mailbox-unchanged',
    text: 'SELECT 1 FROM mailboxes WHERE identity_id = $1 AND id = $2 AND revision = $3 AND NOT is_paused',
    values: [identityId, mailboxId, revision],
  });
  return found.length > 0;
}
