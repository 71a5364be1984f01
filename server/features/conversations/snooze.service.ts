import type pg from 'pg';
import type { IdentityActor } from '@/server/platform/actor';
import { futureTime } from '@/server/platform/db/future-time';
import { rows } from '@/server/platform/db/sql';
import { transaction } from '@/server/platform/db/transaction';
import { AppError, invalidFields } from '@/server/platform/errors';
import { JobKind } from '@/server/platform/jobs/job';
import { notifySnoozeEnded } from '../notifications/notification-causes.service';
import type { ConversationDetailRow } from './conversation.queries';
import type { UpdateConversationInput } from './conversation.schema';
import { conversationChanges } from './conversation-changes.service';
import { markUnread } from './message.marks';

/**
 * Snoozed conversations. They are archived until a time, at which a job moves them to the inbox. What moves them out of the archive before,
 * such as a reply, ends the snooze by a trigger; the job then finds nothing to do.
 */

interface SnoozedKey {
  identityId: string;
  conversationId: string;
}

const snoozeEnd = new JobKind<SnoozedKey>('end-snooze');

/** What a change of `snoozedUntil` sets. */
export interface SnoozeChange {
  snoozedUntil: Date | null;
  snoozedBy: string | null;
  isArchived: boolean;
}

/**
 * What the `snoozedUntil` of a request changes in locked conversations; undefined if nothing. Schedules the end.
 *
 * @throws AppError invalid_request for a time that is not in the coming year, or with a contrary `isArchived` or `isSpam`; conflict if one is
 * spam or in the trash
 */
export async function snoozeChanges(
  client: pg.PoolClient,
  actor: IdentityActor,
  stored: readonly ConversationDetailRow[],
  { snoozedUntil, isArchived, isSpam }: Pick<UpdateConversationInput, 'snoozedUntil' | 'isArchived' | 'isSpam'>,
): Promise<(conversation: ConversationDetailRow) => SnoozeChange | undefined> {
  if (snoozedUntil === undefined) return () => undefined;
  if (snoozedUntil === null) {
    const ended = { snoozedUntil: null, snoozedBy: null, isArchived: isArchived ?? false };
    return (conversation) => (conversation.snoozedUntil === null ? undefined : ended);
  }
  if (isArchived === false) throw invalidFields({ snoozedUntil: 'archives it, and isArchived is false' });
  if (isSpam) throw invalidFields({ snoozedUntil: 'is not possible for spam' });
  const until = await futureTime(client, 'snoozedUntil', { time: snoozedUntil });
  if (stored.some((conversation) => conversation.isTrashed || (conversation.isSpam && isSpam === undefined))) {
    throw new AppError('conflict', 'Spam and what is in the trash can’t be snoozed.');
  }
  await snoozeEnd.schedule(
    client,
    stored.map(({ identityId, id }) => ({ key: id, payload: { identityId, conversationId: id }, at: until })),
  );
  const snoozed = { snoozedUntil: until, snoozedBy: actor.kind === 'session' ? actor.userId : null, isArchived: true };
  return () => snoozed;
}

interface SnoozedRow {
  subject: string;
  snoozedUntil: Date;
  isDue: boolean;
  /** False for spam and in the trash: there, it only is no longer snoozed. */
  isShown: boolean;
  /** Members who are notified: who snoozed it, and its assignee. */
  userIds: string[];
}

/** Moves a snoozed conversation to the inbox, unread, if its time has come. Repeatable. */
async function endSnooze({ identityId, conversationId }: SnoozedKey): Promise<void> {
  const author = { kind: 'system', cause: 'reminders' } as const;
  await transaction(author, async (client) => {
    const [snoozed] = await rows<SnoozedRow>(client, {
      name: 'snooze-lock',
      text: `SELECT subject, snoozed_until AS "snoozedUntil", snoozed_until <= now() AS "isDue",
          NOT is_spam AND NOT is_trashed AS "isShown",
          array_remove(ARRAY[snoozed_by, assignee_user_id], NULL) AS "userIds"
        FROM conversations WHERE identity_id = $1 AND id = $2 AND snoozed_until IS NOT NULL FOR NO KEY UPDATE`,
      values: [identityId, conversationId],
    });
    if (!snoozed) return;
    const { subject, snoozedUntil, isDue, isShown, userIds } = snoozed;
    // Earlier after a clock was wrong.
    if (!isDue) {
      await snoozeEnd.schedule(client, { key: conversationId, payload: { identityId, conversationId }, at: snoozedUntil });
      return;
    }
    const changes = conversationChanges(client, identityId);
    await changes.before([conversationId]);
    await client.query({
      name: 'snooze-end',
      text: `UPDATE conversations SET is_archived = false, is_read = is_read AND NOT $3, updated_at = now()
        WHERE identity_id = $1 AND id = $2`,
      values: [identityId, conversationId, isShown],
    });
    if (isShown) {
      await markUnread(client, identityId, [conversationId]);
      await notifySnoozeEnded(client, { identityId, conversationId, subject, userIds, until: snoozedUntil }, author);
    }
    await changes.write(author);
  });
}

export const endSnoozeJob = snoozeEnd.handledBy(({ payload }) => endSnooze(payload));
