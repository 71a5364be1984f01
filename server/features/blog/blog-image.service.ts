import { v7 as uuidv7 } from 'uuid';
import type { IdentityActor } from '@/server/platform/actor';
import { identities } from '@/server/platform/auth/accounts.sql';
import { pool } from '@/server/platform/db/pool';
import { rows } from '@/server/platform/db/sql';
import { transaction } from '@/server/platform/db/transaction';
import { publicUrl } from '@/server/platform/env';
import { invalidFields } from '@/server/platform/errors';
import { storeBytes } from '@/server/platform/files/content-store';
import { requireFreeStorage, requireStorage } from '../usage/quota.service';
import type { BlogImageRecord } from './blog-image.schema';
import { picturePath } from './pictures';

async function prepared(bytes: Uint8Array, identityId: string) {
  // Loaded with the first picture: its libraries take 30 MB, which a server without pictures does not need.
  const { prepareUpload, UnusableImage } = await import('@/server/platform/images/prepare-upload');
  try {
    return await prepareUpload(bytes, identityId);
  } catch (error) {
    if (error instanceof UnusableImage) throw invalidFields({ content: error.message });
    throw error;
  }
}

/**
 * `POST /blog/images`: takes a picture for posts. It is re-encoded from its pixels in the sizes that pages use; the upload
 * itself, with any metadata, is discarded.
 *
 * @throws AppError invalid_request for anything but a picture, or one that is too large; quota_exceeded if the storage is full
 */
export async function uploadBlogImage(
  actor: IdentityActor,
  input: { content: string },
): Promise<{ success: true; data: { image: BlogImageRecord } }> {
  const { identityId } = actor;
  await requireFreeStorage(identityId);
  const { variants, social } = await prepared(Buffer.from(input.content, 'base64'), identityId);
  const [largest] = variants;
  if (!largest) throw new Error('a picture was made in no size');
  const { width, height } = largest;
  const made = [...variants, social];
  // Stored on disk before a row refers to them: see content-store.ts.
  const stored = await Promise.all(made.map(({ bytes }) => storeBytes(bytes)));
  const id = uuidv7();
  const handle = await transaction(actor, async (client) => {
    const [identity] = await rows<{ handle: string }>(client, {
      name: 'blog-image-insert',
      text: `WITH image AS (INSERT INTO blog_images (id, identity_id, width, height) VALUES ($1, $2, $3, $4))
        SELECT handle FROM ${identities} identities WHERE id = $2`,
      values: [id, identityId, width, height],
    });
    // Deleted a moment ago: the answer is the one for its key, see rest/dispatcher.ts.
    if (!identity) throw new Error('the identity of a picture no longer exists');
    await client.query({
      name: 'blog-image-files-insert',
      text: `INSERT INTO blog_image_files (identity_id, image_id, format, width, height, size, sha256)
        SELECT $3, $1, format, width, height, size, sha256
        FROM json_to_recordset($2) AS file(format text, width int, height int, size int, sha256 text)`,
      values: [id, JSON.stringify(made.map((file, index) => ({ ...dimensionsOf(file), ...stored[index] }))), identityId],
    });
    await requireStorage(client, identityId);
    return identity.handle;
  });
  return { success: true, data: { image: { id, url: `${publicUrl()}${picturePath(handle, id)}`, width, height } } };
}

function dimensionsOf({ format, width, height }: { format: string; width: number; height: number }) {
  return { format, width, height };
}

/** A picture's file for the public blog: the widest up to this width, or the widest of all. Null if there is none. */
export async function findBlogImageFile(wanted: {
  identityId: string;
  id: string;
  format: 'webp' | 'jpeg';
  width: number | null;
}): Promise<{ sha256: string; size: number } | null> {
  const [file] = await rows<{ sha256: string; size: number }>(pool(), {
    name: 'blog-image-file',
    text: `SELECT sha256, size FROM blog_image_files
      WHERE identity_id = $1 AND image_id = $2 AND format = $3 AND ($4::int IS NULL OR width <= $4) ORDER BY width DESC LIMIT 1`,
    values: [wanted.identityId, wanted.id, wanted.format, wanted.width],
  });
  return file ?? null;
}
