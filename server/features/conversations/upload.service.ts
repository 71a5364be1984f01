import type pg from 'pg';
import { v7 as uuidv7 } from 'uuid';
import type { IdentityActor } from '@/server/platform/actor';
import { requireScope } from '@/server/platform/auth/access';
import { removeInBatches } from '@/server/platform/db/remove-in-batches';
import { rows } from '@/server/platform/db/sql';
import { transaction } from '@/server/platform/db/transaction';
import { invalidFields } from '@/server/platform/errors';
import type { ReceivedFile } from '@/server/platform/http/received-file';
import { attachmentName, cleanContentType } from '@/server/platform/mail/attachment-name';
import type { ParsedAttachment } from '@/server/platform/mail/parsed-mail';
import { requireFreeStorage, requireStorage } from '../usage/quota.service';
import { attachmentsMaximumBytes, type Upload, type UploadInput } from './message.schema';
import type { AttachmentSource } from './message.writer';

/** Files for emails that are yet to be written. */

/** Hours that an upload is kept if it is not sent. */
const keptHours = 24;

/** @throws AppError quota_exceeded if there is no room for an upload */
export function admitUpload({ identityId }: IdentityActor): Promise<void> {
  return requireFreeStorage(identityId);
}

/**
 * `POST /attachments`: keeps a file for an email, for 24 hours.
 *
 * @param file is in the content store already; without a row, the next sweep removes it
 * @throws AppError invalid_request without a file; quota_exceeded if the storage is full
 */
export async function uploadAttachment(
  actor: IdentityActor,
  file: ReceivedFile | undefined,
  input: UploadInput,
): Promise<Upload> {
  const { identityId } = actor;
  if (!file) throw invalidFields({ file: 'is required' });
  const contentType = cleanContentType(file.contentType);
  const filename = attachmentName(input.filename ?? file.filename, contentType, () => null);
  const upload = { id: uuidv7(), filename, contentType, size: file.size, sha256: file.sha256 };
  return transaction(actor, async (client) => {
    await client.query({
      name: 'upload-insert',
      text: `INSERT INTO attachments (identity_id, id, position, filename, content_type, size, is_inline, sha256, uploaded_at)
        VALUES ($1, $2, 0, $3, $4, $5, false, $6, now())`,
      values: [identityId, upload.id, filename, contentType, file.size, file.sha256],
    });
    await requireStorage(client, identityId);
    return upload;
  });
}

/** Whether a snippet has an upload: each email gets a copy of it. */
const isInSnippet = `EXISTS (SELECT 1 FROM mail_snippets s WHERE s.identity_id = attachments.identity_id AND s.attachment_ids @> ARRAY[attachments.id])`;

/** A file that is being sent. */
export type TakenAttachment = ParsedAttachment & AttachmentSource;

/**
 * The attachments of an email to be written, in this order; locked, so that an upload becomes the attachment of one message only.
 *
 * @throws AppError invalid_request for an unknown one, and if they are too large together; insufficient_scope for a caller who may
 *   not read the message of one
 */
export async function takeAttachments(
  client: pg.PoolClient,
  actor: IdentityActor,
  attachmentIds: readonly string[] = [],
): Promise<TakenAttachment[]> {
  const ids = [...new Set(attachmentIds.map((id) => id.toLowerCase()))];
  if (ids.length === 0) return [];
  await lockAttachments(client, actor.identityId, ids);
  const found = await rows<TakenAttachment>(client, {
    name: 'attachments-to-send',
    text: `SELECT id, message_id IS NULL AND NOT ${isInSnippet} AS "isUpload", filename, content_type AS "contentType", size, NULL AS "contentId",
        false AS "isInline", sha256
      FROM attachments WHERE identity_id = $1 AND id = ANY($2::uuid[])`,
    values: [actor.identityId, ids],
  });
  const byId = new Map(found.map((attachment) => [attachment.id, attachment]));
  const taken = attachmentIds.map((id, index) => {
    const attachment = byId.get(id.toLowerCase());
    if (!attachment) throw invalidFields({ [`attachmentIds.${index}`]: 'is not an attachment' });
    return attachment;
  });
  if (found.some(({ isUpload }) => !isUpload)) requireScope(actor, 'conversations:read');
  if (found.reduce((sum, { size }) => sum + size, 0) > attachmentsMaximumBytes) {
    throw invalidFields({ attachmentIds: `must have at most ${attachmentsMaximumBytes} bytes together` });
  }
  return [...new Set(taken)];
}

/** Keeps attachments from being sent or put into a snippet elsewhere, until the end of the transaction. What they are is read after that. */
async function lockAttachments(client: pg.PoolClient, identityId: string, ids: readonly string[]): Promise<void> {
  await client.query({
    name: 'attachments-lock',
    text: 'SELECT 1 FROM attachments WHERE identity_id = $1 AND id = ANY($2::uuid[]) ORDER BY id FOR UPDATE',
    values: [identityId, ids],
  });
}

/**
 * The files of a snippet, each once.
 *
 * @throws AppError invalid_request for an unknown one, and for an attachment of a message, which would be deleted with it
 */
export async function keepSnippetFiles(
  client: pg.PoolClient,
  actor: IdentityActor,
  attachmentIds: readonly string[],
): Promise<string[]> {
  const ids = await keepAttachments(client, actor, attachmentIds);
  if (ids.length === 0) return ids;
  await lockAttachments(client, actor.identityId, ids);
  const sent = await rows<{ id: string }>(client, {
    name: 'snippet-files',
    text: 'SELECT id FROM attachments WHERE identity_id = $1 AND id = ANY($2::uuid[]) AND message_id IS NOT NULL',
    values: [actor.identityId, ids],
  });
  const known = new Set(sent.map(({ id }) => id));
  const first = attachmentIds.findIndex((id) => known.has(id.toLowerCase()));
  if (first >= 0) throw invalidFields({ [`attachmentIds.${first}`]: 'is of a message; upload the file' });
  return ids;
}

/**
 * The attachments of a draft, each once. Their time begins again, so that no sweep removes them before the draft is written.
 *
 * @throws AppError invalid_request for an unknown one
 */
export async function keepAttachments(
  client: pg.PoolClient,
  { identityId }: IdentityActor,
  attachmentIds: readonly string[],
): Promise<string[]> {
  const ids = [...new Set(attachmentIds.map((id) => id.toLowerCase()))];
  if (ids.length === 0) return [];
  const values = [identityId, ids];
  await client.query({
    name: 'uploads-keep',
    text: `UPDATE attachments SET uploaded_at = now()
      WHERE identity_id = $1 AND id = ANY($2::uuid[]) AND message_id IS NULL AND uploaded_at < now() - interval '1 hour'`,
    values,
  });
  const found = await rows<{ id: string }>(client, {
    name: 'draft-attachments',
    text: 'SELECT id FROM attachments WHERE identity_id = $1 AND id = ANY($2::uuid[])',
    values,
  });
  const known = new Set(found.map(({ id }) => id));
  const unknown = attachmentIds.findIndex((id) => !known.has(id.toLowerCase()));
  if (unknown >= 0) throw invalidFields({ [`attachmentIds.${unknown}`]: 'is not an attachment' });
  return ids;
}

/** Removes uploads that no message, draft or snippet has, a day after they came. */
export async function removeUnusedUploads(signal?: AbortSignal): Promise<void> {
  const isInDraft = `EXISTS (SELECT 1 FROM mail_drafts d WHERE d.identity_id = attachments.identity_id AND d.attachment_ids @> ARRAY[attachments.id])`;
  const condition = `message_id IS NULL AND uploaded_at < now() - interval '${keptHours} hours' AND NOT ${isInDraft} AND NOT ${isInSnippet}`;
  await removeInBatches({ table: 'attachments', condition, signal });
}
