import { type Queryable, rows } from '@/server/platform/db/sql';
import type { Upload } from './message.schema';
import type { ForwardedMessage } from './reply-message';

export interface Forwarded extends ForwardedMessage {
  attachments: Pick<Upload, 'id' | 'filename' | 'contentType' | 'size'>[];
}

interface ForwardedRow extends Omit<Forwarded, 'from'> {
  from_email: string;
  from_name: string | null;
}

/** A message of the identity that is to be forwarded; undefined for an unknown id. */
export async function findForwarded(db: Queryable, identityId: string, messageId: string): Promise<Forwarded | undefined> {
  const [found] = await rows<ForwardedRow>(db, {
    name: 'message-to-forward',
    isoTimes: true,
    text: `SELECT from_email, from_name, "to", cc, subject, text, coalesce(sent_at, created_at) AS at, coalesce((
          SELECT json_agg(json_build_object('id', a.id, 'filename', a.filename, 'contentType', a.content_type, 'size', a.size) ORDER BY a.position)
          FROM attachments a WHERE a.identity_id = m.identity_id AND a.message_id = m.id), '[]') AS attachments
      FROM messages m WHERE identity_id = $1 AND id = $2`,
    values: [identityId, messageId],
  });
  if (!found) return undefined;
  const { from_email: email, from_name: displayName, ...message } = found;
  return { ...message, from: { email, displayName } };
}
