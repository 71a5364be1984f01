import { pool } from '@/server/platform/db/pool';
import { rows } from '@/server/platform/db/sql';

/** Those of the given Message-IDs that a business has, or had until they were permanently deleted. */
export async function knownMessageIds(identityId: string, ids: readonly string[]): Promise<Set<string>> {
  const known = await rows<{ id: string }>(pool(), {
    name: 'message-ids-known',
    text: `SELECT message_id_header AS id FROM messages WHERE identity_id = $1 AND message_id_header = ANY($2::text[])
      UNION SELECT message_id_header FROM deleted_messages WHERE identity_id = $1 AND message_id_header = ANY($2::text[])`,
    values: [identityId, ids],
  });
  return new Set(known.map(({ id }) => id));
}
