import type { IdentityActor } from '@/server/platform/actor';
import { pool } from '@/server/platform/db/pool';
import { rows } from '@/server/platform/db/sql';
import { notFound } from '@/server/platform/errors';
import type { StoredContent } from './message.schema';

/**
 * Name, type and hash of an attachment; its bytes are in the content store. @throws AppError not_found for an unknown or
 * foreign id.
 */
export async function getAttachment(actor: IdentityActor, id: string): Promise<StoredContent> {
  const [found] = await rows<StoredContent>(pool(), {
    name: 'attachment-get',
    text: `SELECT filename, content_type AS "contentType", size, sha256 FROM attachments WHERE identity_id = $1 AND id = $2`,
    values: [actor.identityId, id],
  });
  if (!found) throw notFound();
  return found;
}
