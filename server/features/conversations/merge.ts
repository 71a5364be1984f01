import type pg from 'pg';
import { removeInBatches } from '@/server/platform/db/remove-in-batches';
import { env } from '@/server/platform/env';
import { isOpen, waitingSince } from './waiting';

/**
 * Merges conversations into another one: their messages, notes, drafts, participants and agents move, and their ids lead to it from then on.
 * The caller holds the row locks. The other fields of the surviving conversation are set by the message that joined them; if one of the others
 * waits for an answer, the survivor does.
 * Without an assignee of its own, the survivor gets that of the oldest conversation that has one.
 */
export async function mergeConversations(
  client: pg.PoolClient,
  identityId: string,
  survivorId: string,
  mergedIds: readonly string[],
): Promise<void> {
  const values = [identityId, survivorId, mergedIds];
  const statements = {
    messages: 'UPDATE messages SET conversation_id = $2 WHERE identity_id = $1 AND conversation_id = ANY($3::uuid[])',
    search: 'UPDATE message_search SET conversation_id = $2 WHERE identity_id = $1 AND conversation_id = ANY($3::uuid[])',
    notes: 'UPDATE conversation_notes SET conversation_id = $2 WHERE identity_id = $1 AND conversation_id = ANY($3::uuid[])',
    participants: `INSERT INTO conversation_participants AS known (conversation_id, identity_id, email, role, display_name)
      SELECT $2, $1, email, min(role), max(display_name) FROM conversation_participants
      WHERE identity_id = $1 AND conversation_id = ANY($3::uuid[]) GROUP BY email
      ON CONFLICT (identity_id, conversation_id, email) DO UPDATE
      SET role = least(known.role, excluded.role), display_name = coalesce(known.display_name, excluded.display_name)`,
    agents: `INSERT INTO conversation_agents (conversation_id, agent_id, identity_id)
      SELECT DISTINCT $2::uuid, agent_id, $1::uuid FROM conversation_agents WHERE identity_id = $1 AND conversation_id = ANY($3::uuid[])
      ON CONFLICT DO NOTHING`,
    // An author has one draft in a conversation; another one becomes a draft of a new email.
    drafts: `UPDATE mail_drafts d SET conversation_id = CASE ranked.place WHEN 1 THEN $2::uuid END
      FROM (
        SELECT id, row_number() OVER (
            PARTITION BY author_user_id, author_agent_id ORDER BY (conversation_id = $2) DESC, updated_at DESC, id
          ) AS place
        FROM mail_drafts WHERE identity_id = $1 AND (conversation_id = $2 OR conversation_id = ANY($3::uuid[]))
      ) ranked
      WHERE d.identity_id = $1 AND d.id = ranked.id AND d.conversation_id <> $2`,
    totals: `UPDATE conversations c SET message_count = c.message_count + merged.messages, is_read = c.is_read AND merged.is_read,
        label_ids = ARRAY(SELECT DISTINCT unnest(c.label_ids || merged.label_ids)),
        waiting_since = CASE WHEN merged.waiting_since IS NULL OR ${isOpen} AND c.waiting_since < merged.waiting_since THEN c.waiting_since
          ELSE merged.waiting_since END,
        status = CASE WHEN merged.waiting_since IS NULL THEN c.status ELSE 'pending' END,
        is_archived = c.is_archived AND merged.waiting_since IS NULL,
        is_spam = c.is_spam AND merged.is_spam, origin_address = coalesce(c.origin_address, merged.origin_address),
        assignee_user_id = CASE WHEN c.assignee_agent_id IS NULL THEN coalesce(c.assignee_user_id, merged.assignee_user_id) END,
        assignee_agent_id = CASE WHEN c.assignee_user_id IS NULL THEN coalesce(c.assignee_agent_id, merged.assignee_agent_id) END
      FROM (
        SELECT sum(message_count) AS messages, min(${waitingSince}) AS waiting_since,
          coalesce((SELECT array_agg(label) FROM conversations o, unnest(o.label_ids) AS label
            WHERE o.identity_id = $1 AND o.id = ANY($3::uuid[])), '{}') AS label_ids, bool_and(is_read) AS is_read, bool_and(is_spam) AS is_spam,
          (array_agg(origin_address ORDER BY created_at) FILTER (WHERE origin_address IS NOT NULL))[1] AS origin_address,
          (array_agg(assignee_user_id ORDER BY created_at, id) FILTER (WHERE num_nonnulls(assignee_user_id, assignee_agent_id) > 0))[1]
            AS assignee_user_id,
          (array_agg(assignee_agent_id ORDER BY created_at, id) FILTER (WHERE num_nonnulls(assignee_user_id, assignee_agent_id) > 0))[1]
            AS assignee_agent_id
        FROM conversations c WHERE identity_id = $1 AND id = ANY($3::uuid[])
      ) merged
      WHERE c.identity_id = $1 AND c.id = $2`,
    removed: 'DELETE FROM conversations WHERE identity_id = $1 AND id = ANY($3::uuid[]) AND id <> $2',
    earlier: 'UPDATE merged_conversations SET conversation_id = $2 WHERE identity_id = $1 AND conversation_id = ANY($3::uuid[])',
    merged: `INSERT INTO merged_conversations (identity_id, id, conversation_id)
      SELECT $1, merged, $2 FROM unnest($3::uuid[]) AS merged`,
  };
  for (const [name, text] of Object.entries(statements)) {
    await client.query({ name: `conversation-merge-${name}`, text, values });
  }
}

/** Ids of merged conversations lead to the surviving one for MERGED_CONVERSATION_RETENTION_DAYS. */
export async function removeOldMerges(signal?: AbortSignal): Promise<void> {
  const days = env().MERGED_CONVERSATION_RETENTION_DAYS;
  if (days === 0) return;
  const condition = 'merged_at < now() - make_interval(days => $1)';
  await removeInBatches({ table: 'merged_conversations', condition, values: [days], signal });
}
