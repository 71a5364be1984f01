import type { IdentityActor } from '@/server/platform/actor';
import { pool } from '@/server/platform/db/pool';
import { type Queryable, rows } from '@/server/platform/db/sql';
import { notFound } from '@/server/platform/errors';
import { isHeavyHtml, mailPage, mailPageVersion } from '@/server/platform/html/html-view';
import { JobKind } from '@/server/platform/jobs/job';
import { renderPool } from '@/server/platform/rendering/render-pool';
import { findMessage } from './message.queries';
import type { MessageRecord } from './message.schema';

/**
 * The HTML of a message as a page. Small HTML is rendered when it is read. Large HTML is rendered in a thread on arrival, and
 * stored, because a hostile mail may take seconds. Pages that are missing, or were rendered by older rules, are rendered when
 * they are read. A message has at most two stored pages of 3 Mi characters, with and without remote images; they are derived
 * data and are deleted with it.
 */

/** The URL of an attachment for the dashboard of an identity. */
function attachmentUrl(identityId: string, attachmentId: string): string {
  return `/api/mail/attachments/${attachmentId}?identity=${identityId}`;
}

/** Does not store a rendering that failed because the server was busy or stopped, nor one of a message that has lost an attachment since. */
async function renderAndStore(
  message: MessageRecord,
  html: string,
  remoteImages: boolean,
  imageUrls: Map<string, string>,
): Promise<string> {
  const { id, identityId } = message;
  const { page, fallback } = await renderPool().mailPage({ html, remoteImages, imageUrls }, { owner: identityId });
  if (fallback) return page;
  await pool().query({
    name: 'message-rendering-store',
    text: `INSERT INTO message_renderings (identity_id, message_id, remote_images, version, page)
      SELECT identity_id, id, $3, $4, $5 FROM messages WHERE identity_id = $1 AND id = $2 AND attachment_count = $6 FOR SHARE
      ON CONFLICT (identity_id, message_id, remote_images) DO UPDATE SET version = excluded.version, page = excluded.page, created_at = now()`,
    values: [identityId, id, remoteImages, mailPageVersion, page, message.attachmentCount],
  });
  return page;
}

/** The HTML of a message as a page. */
export async function pageOf(message: MessageRecord, html: string, remoteImages: boolean): Promise<string> {
  const { id, identityId } = message;
  const imageUrls = new Map(
    message.attachments.flatMap(({ id: attachmentId, contentId }) =>
      contentId === null ? [] : [[contentId, attachmentUrl(identityId, attachmentId)] as const],
    ),
  );
  if (!isHeavyHtml(html)) {
    return mailPage({ html, remoteImages, imageUrlOf: (contentId) => imageUrls.get(contentId) ?? null }).page;
  }
  const [stored] = await rows<{ page: string }>(pool(), {
    name: 'message-rendering',
    text: `SELECT page FROM message_renderings WHERE identity_id = $1 AND message_id = $2 AND remote_images = $3 AND version = $4`,
    values: [identityId, id, remoteImages, mailPageVersion],
  });
  return stored?.page ?? renderAndStore(message, html, remoteImages, imageUrls);
}

/**
 * The page of a message, for a frame without scripts.
 *
 * @throws AppError not_found for an unknown or foreign id, and for a message without HTML
 * @throws QueueFull if it has to be rendered and no thread was free in time
 */
export async function messagePage(actor: IdentityActor, id: string, remoteImages: boolean): Promise<string> {
  const message = await findMessage(pool(), actor.identityId, id);
  if (!message || message.html === null) throw notFound();
  return pageOf(message, message.html, remoteImages);
}

interface RenderJob {
  identityId: string;
  messageId: string;
}

const renderJob = new JobKind<RenderJob>('render-message');

/** Queues the rendering of a message that has just been stored, if it may take long. */
export async function requestRendering(client: Queryable, job: RenderJob, html: string | null): Promise<void> {
  if (html === null || !isHeavyHtml(html)) return;
  await renderJob.schedule(client, { key: job.messageId, payload: job, destination: renderJob.kind });
}

export const messageRendering = renderJob.handledBy(async ({ payload: { identityId, messageId } }) => {
  const message = await findMessage(pool(), identityId, messageId);
  if (message?.html) await pageOf(message, message.html, false);
});
