import type pg from 'pg';

/**
 * Merges conversations into another one: their messages, participants and agents move, and their ids lead to it from then on.
 * The caller holds the row locks. The other fields of the surviving conversation are set by the message that joined them.
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
    participants: `INSERT INTO conversation_participants AS known (conversation_id, identity_id, email, role, display_name)
      SELECT $2, $1, email, min(role), max(display_name) FROM conversation_participants
      WHERE identity_id = $1 AND conversation_id = ANY($3::uuid[]) GROUP BY email
      ON CONFLICT (conversation_id, email) DO UPDATE
      SET role = least(known.role, excluded.role), display_name = coalesce(known.display_name, excluded.display_name)`,
    agents: `INSERT INTO conversation_agents (conversation_id, agent_id, identity_id)
      SELECT DISTINCT $2::uuid, agent_id, $1::uuid FROM conversation_agents WHERE identity_id = $1 AND conversation_id = ANY($3::uuid[])
      ON CONFLICT DO NOTHING`,
    totals: `UPDATE conversations c SET message_count = c.message_count + merged.messages, is_read = c.is_read AND merged.is_read,
        is_spam = c.is_spam AND merged.is_spam, origin_address = coalesce(c.origin_address, merged.origin_address)
      FROM (
        SELECT sum(message_count) AS messages, bool_and(is_read) AS is_read, bool_and(is_spam) AS is_spam,
          (array_agg(origin_address ORDER BY created_at) FILTER (WHERE origin_address IS NOT NULL))[1] AS origin_address
        FROM conversations WHERE identity_id = $1 AND id = ANY($3::uuid[])
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
