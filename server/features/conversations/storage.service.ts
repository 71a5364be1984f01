import type { IdentityActor } from '@/server/platform/actor';
import { pool } from '@/server/platform/db/pool';
import { rows } from '@/server/platform/db/sql';
import type { LargestRecords } from './storage.schema';

/** What takes the storage of an identity: whose conversations, and which files (as the view `stored_bytes` counts them). */

const listed = 10;

interface SenderRow {
  email: string;
  displayName: string | null;
  conversations: number;
  bytes: number;
  trashBytes: number;
}

/** Reads the sizes of all messages, not their texts. */
function largestSenders(identityId: string): Promise<SenderRow[]> {
  return rows<SenderRow>(pool(), {
    name: 'storage-senders',
    text: `WITH stored AS (
        SELECT conversation_id, octet_length(text) + coalesce(octet_length(html), 0) + 1024 AS bytes FROM messages WHERE identity_id = $1
        UNION ALL SELECT m.conversation_id, a.size FROM attachments a
          JOIN messages m ON m.identity_id = a.identity_id AND m.id = a.message_id WHERE a.identity_id = $1
        UNION ALL SELECT conversation_id, octet_length(text) + 1024 FROM conversation_notes WHERE identity_id = $1
      ), sizes AS (
        SELECT conversation_id, sum(bytes) AS bytes FROM stored GROUP BY conversation_id
      )
      SELECT lower(c.counterpart_email) AS email, max(c.counterpart_name) AS "displayName",
        (count(*) FILTER (WHERE NOT c.is_trashed))::int AS conversations,
        coalesce(sum(s.bytes) FILTER (WHERE NOT c.is_trashed), 0)::float8 AS bytes,
        coalesce(sum(sum(s.bytes) FILTER (WHERE c.is_trashed)) OVER (), 0)::float8 AS "trashBytes"
      FROM sizes s JOIN conversations c ON c.identity_id = $1 AND c.id = s.conversation_id
      GROUP BY 1 ORDER BY bytes DESC, email LIMIT ${listed}`,
    values: [identityId],
  });
}

function largestAttachments(identityId: string): Promise<LargestRecords['attachments']> {
  return rows<LargestRecords['attachments'][number]>(pool(), {
    name: 'storage-attachments',
    isoTimes: true,
    text: `WITH largest AS (
        SELECT id, message_id, filename, size FROM attachments WHERE identity_id = $1 ORDER BY size DESC, id LIMIT ${listed}
      )
      SELECT a.id, a.filename, a.size, m.conversation_id AS "conversationId", c.subject, m.from_email AS "fromEmail", m.created_at AS "createdAt"
      FROM largest a JOIN messages m ON m.identity_id = $1 AND m.id = a.message_id
        JOIN conversations c ON c.identity_id = $1 AND c.id = m.conversation_id
      ORDER BY a.size DESC, a.id`,
    values: [identityId],
  });
}

/** The ten senders and attachments that take most of the storage, and what the trash takes. */
export async function getLargestRecords({ identityId }: Pick<IdentityActor, 'identityId'>): Promise<LargestRecords> {
  const [found, attachments] = await Promise.all([largestSenders(identityId), largestAttachments(identityId)]);
  // What is in the trash is found there.
  const senders = found.filter(({ conversations }) => conversations > 0).map(({ trashBytes: _all, ...sender }) => sender);
  return { senders, attachments, trashBytes: found[0]?.trashBytes ?? 0 };
}
