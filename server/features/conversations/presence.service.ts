import type { IdentityActor, SessionActor } from '@/server/platform/actor';
import { publicUserName, users } from '@/server/platform/auth/accounts.sql';
import { pool } from '@/server/platform/db/pool';
import { removeInBatches } from '@/server/platform/db/remove-in-batches';
import { type Queryable, rows, violatedConstraint } from '@/server/platform/db/sql';
import { transaction } from '@/server/platform/db/transaction';
import { notFound } from '@/server/platform/errors';
import { findConversation } from './conversation.queries';
import type { Presence, PresenceInput } from './conversation.schema';

/**
 * Which members have a conversation open, so that two of them do not answer at the same time. Pages repeat it every few seconds, so it
 * is in no log and writes no events (docs/adr/0029).
 */

/** How long an entry counts: three heartbeats of the page. */
const presentSeconds = 45;

/** More members than a page names. */
const othersMaximum = 20;

/**
 * Notes what a member does in a conversation.
 *
 * @returns what the others do in it
 * @throws AppError not_found for an unknown or foreign conversation
 */
export async function notePresence(
  actor: SessionActor & IdentityActor,
  { conversationId, activity }: PresenceInput,
): Promise<Presence> {
  const { identityId, userId } = actor;
  const { id } = await findConversation(pool(), identityId, conversationId);
  try {
    return await transaction(actor, async (client) => {
      const values = [identityId, id, userId];
      if (activity === 'left') {
        await client.query({
          name: 'presence-end',
          text: 'DELETE FROM conversation_presence WHERE identity_id = $1 AND conversation_id = $2 AND user_id = $3',
          values,
        });
      } else {
        await client.query({
          name: 'presence-note',
          text: `INSERT INTO conversation_presence (identity_id, conversation_id, user_id, activity, seen_at)
            VALUES ($1, $2, $3, $4::presence_activity, now())
            ON CONFLICT (identity_id, conversation_id, user_id) DO UPDATE SET activity = excluded.activity, seen_at = excluded.seen_at`,
          values: [...values, activity],
        });
      }
      return { others: await othersIn(client, values) };
    });
  } catch (error) {
    // It was merged, or the membership ended, a moment ago.
    if (violatedConstraint(error)) throw notFound();
    throw error;
  }
}

/** @param values identity, conversation and the member who asks */
function othersIn(db: Queryable, values: string[]): Promise<Presence['others']> {
  return rows<Presence['others'][number]>(db, {
    name: 'presence-others',
    text: `SELECT p.user_id AS "userId", ${publicUserName} AS name, p.activity
      FROM conversation_presence p JOIN ${users} u ON u.id = p.user_id
      WHERE p.identity_id = $1 AND p.conversation_id = $2 AND p.user_id <> $3
        AND p.seen_at > now() - interval '${presentSeconds} seconds'
      ORDER BY p.activity DESC, name, p.user_id LIMIT ${othersMaximum}`,
    values,
  });
}

/** Removes entries that no longer count. */
export async function removeOldPresence(signal?: AbortSignal): Promise<void> {
  await removeInBatches({ table: 'conversation_presence', condition: `seen_at < now() - interval '1 hour'`, signal });
}
